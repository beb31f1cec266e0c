"""What the documents say, as data beside their paragraphs. Knows nothing of cards being dealt."""
