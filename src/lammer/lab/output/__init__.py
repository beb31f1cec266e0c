"""How results of the lab become sheets, pictures, pages and files."""
