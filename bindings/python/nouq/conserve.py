"""Conservation laws, and the projection of predictions onto them.

>>> import numpy as np, nouq
>>> grid = [nouq.Axis("x", np.linspace(0, 1, 5)), nouq.Axis("t", [0.0, 1.0])]
>>> law = nouq.conserve.integral(grid, "x", [1.0, 1.0])
>>> mean, variance = np.full((1, 5, 2, 1), 0.9), np.full((1, 5, 2, 1), 0.04)
>>> projected = nouq.conserve.project(mean, variance, law)
>>> bool(np.allclose(np.trapz(projected.mean[0, :, 0, 0], dx=0.25), 1.0))
True
"""

from typing import Iterable, NamedTuple, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _nouq


class Projection(NamedTuple):
    """A prediction that meets its constraints."""

    mean: np.ndarray
    variance: np.ndarray
    samples: Optional[np.ndarray]


def integral(grid: Sequence[_nouq.Axis], axis: str, values: ArrayLike, *, rule: str = "trapezoid", channel: int = 0,
             channels: int = 1, slack: float = 0.0) -> _nouq.Constraints:
    """The integral along an axis is known at every place on the other axes.

    values: [samples, other axes...], or [other axes...] for all samples. slack: the variance with which it holds.
    """
    return _nouq.integral(grid, axis, values, rule, channel, channels, slack)


def boundary(grid: Sequence[_nouq.Axis], axis: str, side: str, values: ArrayLike, *, channel: int = 0,
             channels: int = 1, slack: float = 0.0) -> _nouq.Constraints:
    """The field is known at one end ("low" or "high") of an axis. values: as for integral."""
    return _nouq.boundary(grid, axis, side, values, channel, channels, slack)


def points(grid: Sequence[_nouq.Axis], coordinates: ArrayLike, values: ArrayLike, *, channel: int = 0,
           channels: int = 1, slack: float = 0.0) -> _nouq.Constraints:
    """The field is known at points of the grid. coordinates: [points, axes]; values: [samples, points] or [points]."""
    return _nouq.points(grid, coordinates, values, channel, channels, slack)


def stack(constraints: Iterable[_nouq.Constraints]) -> _nouq.Constraints:
    """Several constraints as one."""
    return _nouq.stack(list(constraints))


def project(mean: ArrayLike, variance: Optional[ArrayLike] = None, constraints: Optional[_nouq.Constraints] = None, *,
            samples: Optional[ArrayLike] = None, diagonal_share: Optional[float] = None,
            independent_axis: Optional[str] = None, lower: Optional[ArrayLike] = None,
            upper: Optional[ArrayLike] = None, threads: int = 0) -> Projection:
    """The prediction, conditioned on the constraints.

    mean and variance are [samples, axes..., channels]; samples, where a method has them, [samples, members, axes...,
    channels]. With a variance the correction is spread by it alone; without one by the covariance of the samples,
    taken as uncorrelated along the axis "t" where there is one. diagonal_share (1: variance alone, 0: samples alone)
    and independent_axis change that.

    lower and upper, one value or one per point, keep the result within physical bounds, which matters most at fronts;
    the variance is then that of the samples, each projected by itself, where samples are given.

    >>> import numpy as np, nouq
    >>> grid = [nouq.Axis("x", np.linspace(0, 1, 3))]
    >>> law = nouq.conserve.integral(grid, "x", 0.25)
    >>> mean = np.array([[[-0.2], [0.2], [0.9]]])
    >>> nouq.conserve.project(mean, np.full_like(mean, 0.01), law, lower=0, upper=1).mean.ravel().round(3).tolist()
    [0.0, 0.08, 0.84]
    """
    if constraints is None:
        raise TypeError("project() needs constraints")
    bounded = lower is not None or upper is not None
    if bounded and (diagonal_share is not None or independent_axis is not None):
        raise TypeError("diagonal_share and independent_axis have no meaning with bounds: leave out either")
    if variance is None:
        if samples is None:
            raise TypeError("project() needs a variance or samples")
        variance = np.var(samples, axis=1, ddof=1)
        diagonal_share = 0.0 if diagonal_share is None else diagonal_share
    if bounded:
        return Projection(*_nouq.project_within(mean, variance, samples, constraints, lower, upper, threads))
    if independent_axis is None:
        independent_axis = "t" if any(axis.name == "t" for axis in constraints.grid) else ""
    share = 1.0 if diagonal_share is None else diagonal_share
    return Projection(*_nouq.project(mean, variance, samples, constraints, share, independent_axis, threads))
