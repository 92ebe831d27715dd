"""Programs on top of the package: the local web page, aid for solving by hand."""
