"""stub"""

from exactcover.formats.document import Document
from exactcover.formats.source import Source


def read_toml(source: Source) -> list[Document]:
    raise NotImplementedError
