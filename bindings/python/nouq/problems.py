"""The built-in PDE problems, and data from them.

>>> import nouq
>>> "pme" in nouq.problems.names()
True
>>> nouq.problems.describe("heat")["has_mass_law"]
True
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _nouq


def names() -> List[str]:
    """The problems there are."""
    return _nouq.problem_names()


def describe(name: str) -> Dict[str, Any]:
    """A dict: equation, conditions, parameter, ranges by shift, options, citation."""
    return _nouq.describe_problem(name)


def generate(name: str, count: int = 400, range: Union[str, Tuple[float, float]] = "in-domain", *, seed: int = 0,
             options: Optional[Dict[str, str]] = None, grid: Optional[Sequence[_nouq.Axis]] = None,
             threads: int = 0) -> _nouq.DataSet:
    """A DataSet of `count` samples; range is the name of a shift or a pair (low, high).

    >>> import nouq
    >>> data = nouq.problems.generate("pme", 3, (2, 3))
    >>> data.outputs.shape, sorted(data.constraint_values)
    ((3, 100, 20, 1), ['mass'])
    """
    return _nouq.generate(name, count, range, seed, options or {}, grid, threads)
