"""The letters of pieces, a module for each kind; a lattice loads its own when first needed."""
