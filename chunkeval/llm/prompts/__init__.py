"""What models are told, in Korean, English and Chinese."""
