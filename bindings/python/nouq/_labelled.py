"""Arrays with names and coordinates, in and out: xarray's, or anything with dims and coords; and pictures.

nouq does not need xarray: what has `dims` and `coords` is understood, and what it gives is names and coordinates that
`xarray.DataArray(p.mean, dims=p.dims, coords=p.coords)` takes.
"""

import numpy as np

from . import _nouq

_samples, _channels = ("sample", "samples", "run", "n"), ("channel", "channels", "variable")


def is_labelled(values):
    return hasattr(values, "dims") and hasattr(values, "coords") and not isinstance(values, _nouq.Prediction)


def _coordinates(values, name):
    return np.asarray(values.coords[name], float) if name in values.coords else None


def in_order(values, axes, name):
    """values as [samples, axes..., channels], whatever order its dimensions have; axes are names."""
    dims = [str(dim) for dim in values.dims]
    first = [dim for dim in dims if dim in _samples]
    last = [dim for dim in dims if dim in _channels]
    missing = [axis for axis in axes if axis not in dims]
    extra = [dim for dim in dims if dim not in axes and dim not in first + last]
    if missing or extra or len(first) > 1 or len(last) > 1:
        raise _nouq.Error(f"{name} has the dimensions {dims}: expected {axes}, a 'sample' and a 'channel' where there are several")
    array = np.transpose(np.asarray(values), [dims.index(dim) for dim in first + list(axes) + last])
    array = array if first else array[None]
    return array if last else array[..., None]


def grid_of(values, axes):
    """The Axis list of labelled values like the given axes, or None where no coordinates are there."""
    own = [_coordinates(values, axis.name) for axis in axes]
    if all(points is None for points in own):
        return None
    return [_nouq.Axis(axis.name, axis.coordinates if points is None else points, axis.unit, kind=axis.kind)
            for axis, points in zip(axes, own)]


def data_set(inputs, outputs, axes=None, **more):
    """A DataSet of arrays with dims and coords (xarray); axes are names, in their order, by default those of outputs.

    A dimension called sample (run, n) counts the samples, one called channel (variable) the channels.

    >>> import numpy as np, nouq
    >>> class Labelled(np.ndarray):
    ...     pass
    >>> u = np.ones((3, 16)).view(Labelled)
    >>> u.dims, u.coords = ("sample", "x"), {"x": np.linspace(0, 2, 16)}
    >>> data = nouq.data_set(u, u)
    >>> data.inputs.shape, data.grid[0].name, float(data.grid[0].coordinates[-1])
    ((3, 16, 1), 'x', 2.0)
    """
    dims = [str(dim) for dim in outputs.dims]
    axes = list(axes) if axes is not None else [dim for dim in dims if dim not in _samples + _channels]
    grid = []
    for axis in axes:
        points = _coordinates(outputs, axis)
        if points is None:
            raise _nouq.Error(f"outputs have no coordinates of {axis!r}")
        grid.append(_nouq.Axis(axis, points))
    return _nouq.DataSet(in_order(inputs, axes, "inputs"), in_order(outputs, axes, "outputs"), grid=grid, **more)


def _dims(prediction):
    """The names of the mean's dimensions."""
    axes = [axis.name for axis in prediction.grid]
    return tuple(axes) if prediction.mean.ndim == len(axes) else ("sample", *axes, "channel")


def _coords(prediction):
    """Coordinates of the mean's dimensions by name."""
    coords = {axis.name: axis.coordinates for axis in prediction.grid}
    if prediction.mean.ndim > len(coords):
        coords["channel"] = list(prediction.output_names)
    return coords


def _plot(prediction, sample=0, truth=None):
    """A matplotlib figure of one sample with its band, or three standard deviations where there is none.

    One axis, or an axis and t: profiles; else maps of mean and standard deviation. truth has the shape of the mean.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plot() needs matplotlib: install it, or take nouq predict --figure") from None
    axes = prediction.grid
    full = prediction.mean.ndim > len(axes)
    pick = (lambda array: array[sample]) if full else (lambda array: array[..., None])
    mean = pick(prediction.mean)
    half = pick(prediction.band) if prediction.band is not None else 3 * pick(prediction.std)
    right = None if truth is None else pick(np.asarray(truth))
    names = list(prediction.output_names)
    profiles = len(axes) == 1 or (len(axes) == 2 and axes[1].name == "t")
    if len(axes) > 2:
        middle = len(axes[0]) // 2
        mean, half, axes = mean[middle], half[middle], axes[1:]
        right = None if right is None else right[middle]
        profiles = axes[-1].name == "t" and len(axes) == 2
    if profiles:
        places = [0] if len(axes) == 1 else sorted({len(axes[1]) * k // 3 - 1 for k in (1, 2, 3)} - {-1})
        figure, grid = plt.subplots(len(names), len(places), squeeze=False, figsize=(4 * len(places), 3 * len(names)))
        for row, name in enumerate(names):
            for column, place in enumerate(places):
                cut = (slice(None), row) if len(axes) == 1 else (slice(None), place, row)
                panel, x = grid[row, column], axes[0].coordinates
                panel.fill_between(x, mean[cut] - half[cut], mean[cut] + half[cut], alpha=0.3)
                panel.plot(x, mean[cut], label="prediction")
                if right is not None:
                    panel.plot(x, right[cut], "k--", label="truth")
                panel.set(xlabel=axes[0].name, ylabel=name,
                          title="" if len(axes) == 1 else f"t = {axes[1].coordinates[place]:.3g}")
        grid[0, 0].legend()
        return figure
    shown = [("mean", mean), ("half width", half)] + ([] if right is None else [("error", abs(mean - right))])
    figure, grid = plt.subplots(len(names), len(shown), squeeze=False, figsize=(4 * len(shown), 3 * len(names)))
    for row, name in enumerate(names):
        for column, (what, field) in enumerate(shown):
            panel = grid[row, column]
            image = panel.pcolormesh(axes[0].coordinates, axes[1].coordinates, field[..., row].T, shading="nearest")
            figure.colorbar(image, ax=panel)
            panel.set(xlabel=axes[0].name, ylabel=axes[1].name, title=f"{name}, {what}")
    return figure


def attach():
    _nouq.Prediction.dims = property(_dims, doc="The names of the mean's dimensions, as xarray has them.")
    _nouq.Prediction.coords = property(_coords, doc="Coordinates of these dimensions by name.")
    _nouq.Prediction.plot = _plot
    predict = _nouq.Model.predict

    def labelled_predict(model, x, *more, **options):
        if is_labelled(x):
            options.setdefault("grid", grid_of(x, model.grid))
            x = in_order(x, [axis.name for axis in model.grid], "x")
        return predict(model, x, *more, **options)

    labelled_predict.__doc__, labelled_predict.__name__ = predict.__doc__, "predict"
    _nouq.Model.predict = labelled_predict
