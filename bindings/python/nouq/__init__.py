"""Neural operators that know when they are wrong.

Train a surrogate, ask it for a mean with a standard deviation and whether to trust them, and project the answer onto
a conservation law:

>>> import nouq
>>> data = nouq.problems.generate("heat", 24, seed=1)
>>> model = nouq.train(data, method="diverse", count=3, width=8, modes=6, epochs=2, progress=False)
>>> prediction = model.predict(data.inputs[:2])
>>> prediction.mean.shape, prediction.std.shape
((2, 100, 20, 1), (2, 100, 20, 1))
>>> law = nouq.conserve.integral(model.grid, "x", data.constraint_values["mass"][:2])
>>> projected = nouq.conserve.project(prediction.mean, prediction.variance, law)
>>> nouq.metrics.relative_l2(projected.mean, data.outputs[:2]) > 0
True

Wrong arguments raise nouq.Error, which is a ValueError; what fails for another reason raises nouq.Failure, which is
a RuntimeError.
"""

import os
from typing import Union

from . import conserve, metrics, problems
from ._nouq import Axis, Constraints, DataSet, Error, Failure, Model, Prediction, Trust, __version__
from ._nouq import load as _load
from ._improve import Improved, improve
from ._labelled import attach, data_set
from ._plain_errors import speak_plainly
from ._train import methods, train
from .fno import Fno, released_model

__all__ = [
    "Axis", "Constraints", "DataSet", "Error", "Failure", "Fno", "Improved", "Model", "Prediction", "Trust", "__version__",
    "conserve", "data_set", "improve", "load", "methods", "metrics", "problems", "released_model", "train",
]


attach()
speak_plainly(Axis)
speak_plainly(DataSet, "load", "save", "select", "split")
speak_plainly(Model, "predict", "roll_out", "suggest", "gradient", "derivative", "save", "set_threads", "inputs_of")
del attach, speak_plainly


def load(path: Union[str, "os.PathLike[str]"]) -> Model:
    """A model from its file.

    >>> import nouq
    >>> nouq.load("no-such-file.nouq")
    Traceback (most recent call last):
    ...
    nouq.Error: cannot open no-such-file.nouq: No such file or directory
    """
    return _load(os.fspath(path))
