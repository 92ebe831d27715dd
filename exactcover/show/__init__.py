"""Everything that is looked at: pictures, pages and films, graphs, parts to make."""
