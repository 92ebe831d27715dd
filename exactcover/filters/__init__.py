"""What removes options, or solutions, that are not wanted. Filters read problems and layouts."""
