"""Tools of every room: values, text, plug-ins, compiled code, deadlines, lazy imports."""

__version__ = "2.0.0"
