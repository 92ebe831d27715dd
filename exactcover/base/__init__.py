"""Tools of every room: values, text, plug-ins, compiled code, deadlines, lazy imports."""
