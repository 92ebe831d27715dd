"""Programs on top of the package: the command line, the local web page, aid for solving by hand."""
