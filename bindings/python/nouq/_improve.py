"""The loop with a solver: run it where it helps most, add the runs, train again."""

import json
import os
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import _nouq
from ._train import _as_data_set, _require_known


class Improved(NamedTuple):
    """What improve() ends with."""

    model: _nouq.Model
    data: _nouq.DataSet  # all runs
    rounds: List[Dict[str, Any]]  # after each training: runs, samples, held_out, error, checks, expected, in_domain
    set_aside: List[Dict[str, Any]]  # runs that failed: run, parameters, reason
    reached: bool  # the target


def improve(data, solver: Callable[..., Any], ranges: Optional[Dict[str, Tuple[float, float]]] = None, *,
            candidates=None, validation=None, budget: int = 32, per_round: int = 8, target: float = 0.0,
            trusted: float = 0.8, design: str = "suggest", retrain: str = "anew", among: int = 512, jobs: int = 1,
            retries: int = 1, folder: str = "", tell: Optional[Callable[[Dict[str, Any]], None]] = None,
            **options) -> Improved:
    """Runs the solver where it helps the surrogate most, until that is good enough or the budget is used.

    solver(parameters, inputs) gets a dictionary of numbers and the input field [axes..., channels], and returns the
    solution [axes..., channels], or that and a dictionary with the values of the data's laws. What it raises is a
    failed run, which is tried again and then set aside. With a folder, the same call goes on where an earlier one
    was stopped. Of the runs every fifth is held out, to measure the error. ranges say where the model is to be good,
    one for every parameter, or candidates which inputs could be run; the other keywords are those of
    `nouq improve` and of train().

    >>> import numpy as np, nouq
    >>> x, k = np.linspace(0, 1, 16), np.linspace(1, 2, 10)
    >>> def solve(parameters, inputs):
    ...     return np.exp(-parameters["k"] * x)
    >>> data = nouq.DataSet(np.ones((10, 16, 1)) * k[:, None, None], np.exp(-k[:, None, None] * x[None, :, None]),
    ...                     grid=[nouq.Axis("x", x)], input_names=["k"], parameters=k, parameter_names=["k"])
    >>> done = nouq.improve(data, solve, {"k": (1, 4)}, budget=5, width=4, modes=3, count=2, epochs=2, cross_folds=0)
    >>> len(done.rounds), done.data.inputs.shape
    (2, (15, 16, 1))
    """
    _require_known(options)
    settings = dict(ranges=ranges, candidates=candidates, validation=validation, budget=budget, per_round=per_round,
                    target=target, trusted=trusted, design=design, retrain=retrain, among=among, jobs=jobs,
                    retries=retries, folder=os.fspath(folder))
    train = json.dumps({name: value for name, value in options.items() if value is not None})
    return Improved(*_nouq.improve(_as_data_set(data, "data"), solver, settings, train, tell))
