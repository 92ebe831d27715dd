"""The picture that a notebook shows for a value."""

from __future__ import annotations


class Pictured:
    """A value that notebooks show as a picture.

    The picture is made by `exactcover.render`, far above this module, which is loaded only when a
    notebook asks for it.
    """

    def _repr_svg_(self) -> str | None:
        """The picture as SVG; None where there is none, so that the text is shown."""
        from exactcover.render.picture import shown_in_notebook

        return shown_in_notebook(self)
