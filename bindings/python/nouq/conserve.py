"""Conservation laws, and the projection of predictions onto them.

>>> import numpy as np, nouq
>>> grid = [nouq.Axis("x", np.linspace(0, 1, 5)), nouq.Axis("t", [0.0, 1.0])]
>>> law = nouq.conserve.integral(grid, "x", [1.0, 1.0])
>>> mean, variance = np.full((1, 5, 2, 1), 0.9), np.full((1, 5, 2, 1), 0.04)
>>> projected = nouq.conserve.project(mean, variance, law)
>>> bool(np.allclose(np.trapz(projected.mean[0, :, 0, 0], dx=0.25), 1.0))
True
"""

from typing import Any, Iterable, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _nouq


class Projection(NamedTuple):
    """A prediction that meets its constraints."""

    mean: np.ndarray
    variance: np.ndarray
    samples: Optional[np.ndarray]


def _for_all(values: ArrayLike, rank: int) -> np.ndarray:
    """Right-hand sides as [samples, ...]: those for all samples get the extent they lack."""
    array = np.asarray(values, dtype=float)
    return array[np.newaxis] if array.ndim + 1 == rank else np.atleast_1d(array)


def constraint(grid: Sequence[_nouq.Axis], kind: str, *, channels: int = 1, noise_variance: float = 0.0,
               **settings: Any) -> _nouq.Constraints:
    """A constraint of any kind by name, as `nouq constraints` lists them with their settings.

    A setting is a text (an axis, a side), a list of texts, a number or an array ([samples, ...]). noise_variance:
    the variance with which the rows hold; 0 means exactly.

    >>> import numpy as np, nouq
    >>> grid = [nouq.Axis("x", np.linspace(0, 1, 5)), nouq.Axis("t", [0.0, 1.0])]
    >>> nouq.conserve.constraint(grid, "monotone", axis="x", direction="increasing")
    Constraints(0 rows, bounds)
    """
    return _nouq.constraint(grid, channels, kind, settings, noise_variance)


def from_toml(grid: Sequence[_nouq.Axis], text: str, *, channels: int = 1, noise_variance: float = 0.0,
              **arrays: ArrayLike) -> _nouq.Constraints:
    """Constraints from TOML text with [[constraint]] tables; arrays that they name are keywords."""
    return _nouq.constraints_from_toml(grid, channels, text, arrays, noise_variance)


def law_of(model: _nouq.Model, **values: ArrayLike) -> _nouq.Constraints:
    """The model's own law and bounds, as strict as calibration found best.

    values: the right-hand sides under the names of its laws, such as mass, [samples, times] or [times] for all
    samples; and parameter, [samples], where the model is of a built-in problem whose bounds depend on it.
    """
    return _nouq.law_of(model, values)


def integral(grid: Sequence[_nouq.Axis], axis: Union[str, Sequence[str]], values: ArrayLike, *,
             rule: str = "automatic", channel: int = 0, channels: int = 1,
             noise_variance: float = 0.0) -> _nouq.Constraints:
    """The integral over an axis, or several, is known at every place on the other axes.

    values: [samples, other axes...], or [other axes...] for all samples. rule: by default what the kind of each axis
    asks for: the midpoint rule on cells and periodic axes, else the trapezoid rule. noise_variance: the variance with
    which it holds.
    """
    axes = [axis] if isinstance(axis, str) else list(axis)
    return constraint(grid, "integral", channels=channels, noise_variance=noise_variance, axis=axes, rule=rule,
                      channel=float(channel), value=_for_all(values, len(grid) - len(axes) + 1))


def boundary(grid: Sequence[_nouq.Axis], axis: str, side: str, values: ArrayLike, *, channel: int = 0,
             channels: int = 1, noise_variance: float = 0.0) -> _nouq.Constraints:
    """The field is known at one end ("low" or "high") of an axis. values: as for integral."""
    return constraint(grid, "boundary", channels=channels, noise_variance=noise_variance, axis=axis, side=side,
                      channel=float(channel), value=_for_all(values, len(grid)))


def points(grid: Sequence[_nouq.Axis], coordinates: ArrayLike, values: ArrayLike, *, channel: int = 0,
           channels: int = 1, noise_variance: float = 0.0) -> _nouq.Constraints:
    """The field is known at points of the grid. coordinates: [points, axes]; values: [samples, points] or [points]."""
    return constraint(grid, "points", channels=channels, noise_variance=noise_variance, channel=float(channel),
                      at=np.asarray(coordinates, dtype=float), value=_for_all(values, 2))


def stack(constraints: Iterable[_nouq.Constraints]) -> _nouq.Constraints:
    """Several constraints as one."""
    return _nouq.stack(list(constraints))


def project(mean: ArrayLike, variance: Optional[ArrayLike] = None, constraints: Optional[_nouq.Constraints] = None, *,
            samples: Optional[ArrayLike] = None, diagonal_share: Optional[float] = None,
            independent_axis: Optional[str] = None, lower: Optional[ArrayLike] = None,
            upper: Optional[ArrayLike] = None, threads: int = 0, preset: str = "", **options: Any) -> Projection:
    """The prediction, conditioned on the constraints.

    mean and variance are [samples, axes..., channels]; samples, where a method has them, [samples, members, axes...,
    channels]. With a variance the correction is spread by it alone; without one by the covariance of the samples,
    taken as uncorrelated along the axis "t" where there is one. diagonal_share (1: variance alone, 0: samples alone)
    and independent_axis change that.

    lower and upper, one value or one per point, keep the result within physical bounds, which matters most at fronts;
    the variance is then that of the samples, each projected by itself, where samples are given.

    preset, instead: what the tool means by --conserve, "diagonal", "low-rank" or "bounded". Further options are
    noise_variance (of every row, instead of its own), sigma_power, bounded, fixed_variance, variance_update,
    smooth_axis and smooth_correlation; docs/projection.md says what they do.

    >>> import numpy as np, nouq
    >>> grid = [nouq.Axis("x", np.linspace(0, 1, 3))]
    >>> law = nouq.conserve.integral(grid, "x", 0.25)
    >>> mean = np.array([[[-0.2], [0.2], [0.9]]])
    >>> nouq.conserve.project(mean, np.full_like(mean, 0.01), law, lower=0, upper=1).mean.ravel().round(3).tolist()
    [0.0, 0.08, 0.84]
    """
    if constraints is None:
        raise TypeError("project() needs constraints")
    unknown = set(options) - _options
    if unknown:
        raise TypeError(f"project() got an unexpected keyword argument '{sorted(unknown)[0]}'")
    bounded = lower is not None or upper is not None or constraints.has_bounds
    if (bounded or preset) and (diagonal_share is not None or independent_axis is not None):
        raise TypeError("diagonal_share and independent_axis have no meaning with bounds or a preset: leave out either")
    if variance is None:
        if samples is None:
            raise TypeError("project() needs a variance or samples")
        variance = np.var(samples, axis=1, ddof=1)
        if not bounded and not preset:
            diagonal_share = 0.0 if diagonal_share is None else diagonal_share
    if independent_axis is None:
        independent_axis = "t" if any(axis.name == "t" for axis in constraints.grid) else ""
    settings = dict(options, threads=threads, preset=preset, independent_axis=independent_axis,
                    diagonal_share=1.0 if diagonal_share is None else diagonal_share)
    return Projection(*_nouq.project(mean, variance, samples, constraints, lower, upper, settings))


_options = {"noise_variance", "sigma_power", "bounded", "fixed_variance", "variance_update", "smooth_axis",
            "smooth_correlation"}
