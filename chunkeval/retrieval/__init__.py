"""What a cut is worth: metrics against gold boundaries."""
