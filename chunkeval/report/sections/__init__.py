"""The page's sections: one module each, its facts from ``build``, its form in the template of the same name."""
