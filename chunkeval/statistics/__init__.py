"""What differences are worth: paired, clustered by document, for several strategies at once."""
