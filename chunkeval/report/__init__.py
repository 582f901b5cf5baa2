"""The report: it only draws what the audit found.

``page.render`` gives the page, ``plots.draw`` the figures, ``poster.draw`` all on one sheet.
"""
