"""The recombined corpus beside the corpus' own histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkeval.report.figures.fonts import drawable
from chunkeval.report.figures.ink import Ink
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from chunkeval.results import Recombined

    Floats = NDArray[np.float64]


def draw(axes: Axes, made: Recombined, edges: Floats, number: int, ink: Ink, lang: Lang) -> float:
    """Draw mixes and splices as curves whose area is that of the bars.

    Parameters
    ----------
    made
        Scores of the recombined chunks.
    edges
        Of the bars, of one width.
    number
        How many chunks the bars show.

    Returns
    -------
    float
        The height of the highest curve; 0 where there is none.
    """
    grid = np.linspace(edges[0], edges[-1], 400)
    scale, top = number * float(edges[-1] - edges[-2]), 0.0
    for name, sample, style, colour in (
        ("plot_mixes", made.mixes, "-", ink.mixes),
        ("plot_splices", made.splices, (0, (4, 1.6)), ink.splices),
    ):
        sample = sample[np.isfinite(sample)]
        if len(sample) < 2:
            continue
        height = density(sample, grid) * scale
        top = max(top, float(height.max()))
        axes.plot(grid, height, linestyle=style, color=colour, linewidth=2.0, label=drawable(say(lang, name)), zorder=4)
    return top


def density(sample: Floats, grid: Floats) -> Floats:
    """Estimate a density on a grid: Gaussian kernels of Silverman's width.

    Examples
    --------
    >>> grid = np.linspace(-5, 5, 201)
    >>> round(float(density(np.array([-1.0, 0.0, 1.0]), grid).sum() * 0.05), 2)
    1.0
    """
    spread = float(np.std(sample)) or 1e-3
    width = 0.9 * spread * len(sample) ** -0.2
    heights = np.zeros(len(grid))
    for part in np.array_split(sample, max(1, len(sample) // 500)):
        heights += np.exp(-0.5 * ((grid[:, None] - part[None, :]) / width) ** 2).sum(axis=1)
    return np.asarray(heights / (len(sample) * width * np.sqrt(2 * np.pi)), dtype=np.float64)
