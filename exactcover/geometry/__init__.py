"""Shapes, orientations, images, symmetries and neighbours of cells, on any lattice."""
