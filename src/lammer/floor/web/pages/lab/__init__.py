"""The lab's mathematics as pages."""
