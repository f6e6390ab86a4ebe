"""The built-in PDE problems, and data from them.

>>> import nouq
>>> "pme" in nouq.problems.names()
True
>>> nouq.problems.describe("heat")["has_mass_law"]
True
"""

from . import _nouq


def names():
    """The problems there are."""
    return _nouq.problem_names()


def describe(name):
    """A dict: equation, conditions, parameter, ranges by shift, options, citation."""
    return _nouq.describe_problem(name)


def generate(name, count=400, range="in-domain", *, seed=0, options=None, grid=None, threads=0):
    """A DataSet of `count` samples; range is the name of a shift or a pair (low, high).

    >>> import nouq
    >>> data = nouq.problems.generate("pme", 3, (2, 3))
    >>> data.outputs.shape, sorted(data.constraint_values)
    ((3, 100, 20, 1), ['mass'])
    """
    return _nouq.generate(name, count, range, seed, options or {}, grid, threads)
