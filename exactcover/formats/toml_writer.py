"""stub"""

from collections.abc import Sequence

from exactcover.formats.document import Document


def write_toml(documents: Sequence[Document]) -> str:
    raise NotImplementedError
