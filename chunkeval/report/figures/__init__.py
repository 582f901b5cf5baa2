"""The figures: one painter each for distributions and scatters, what marks limits, and the numbers behind them.

``plots.draw`` saves them, ``poster.draw`` puts all on one sheet, ``behind`` gives their tables.
"""
