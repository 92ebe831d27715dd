"""stub"""

from collections.abc import Sequence

from exactcover.formats.document import Document


def write_polycube(documents: Sequence[Document]) -> str:
    raise NotImplementedError
