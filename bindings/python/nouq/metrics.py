"""How good a predicted mean and variance are, against the truth.

Every metric of the library is a function here: metrics.mse(mean, truth), metrics.nll(mean, variance, truth),
metrics.conservation_error(mean, truth, weights, values). Arrays are [samples, axes..., channels]. The result is a
number; with per_sample=True a pair of it and the values of the samples.

>>> import numpy as np, nouq
>>> u = np.ones((2, 4, 3, 1))
>>> round(nouq.metrics.mse(u + 0.1, u), 12)
0.01
>>> value, each = nouq.metrics.mse(u + 0.1, u, per_sample=True)
>>> each.shape
(2,)
"""

from . import _nouq


def _define(name, uses_variance, uses_mass, summary):
    names = ["mean"] + ["variance"] * uses_variance + ["truth"] + ["weights", "values"] * uses_mass

    def metric(*arrays, per_sample=False):
        if len(arrays) != len(names):
            raise TypeError(f"{name}() takes {', '.join(names)}: {len(arrays)} arrays given")
        given = dict(zip(names, arrays))
        value, each = _nouq.metric(name, *(given.get(key) for key in ("mean", "variance", "truth", "weights", "values")))
        return (value, each) if per_sample else value

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"{name}({', '.join(names)}, per_sample=False): {summary}."
    return metric


__all__ = []
for _entry in _nouq.list_metrics():
    globals()[_entry[0]] = _define(*_entry)
    __all__.append(_entry[0])
del _entry
