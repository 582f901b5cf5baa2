"""The report: it only draws what the audit found.

``page.render`` gives the page, ``figures.plots.draw`` the figures, ``figures.poster.draw`` all on one sheet.
"""
