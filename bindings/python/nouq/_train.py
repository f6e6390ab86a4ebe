"""Training from Python: data in any form, progress on one line."""

import ast
import difflib
import inspect
import sys
import time
from typing import List

from . import _nouq


def methods() -> List[str]:
    """The uncertainty methods.

    >>> import nouq
    >>> "diverse" in nouq.methods()
    True
    """
    return _nouq.method_names()


class _Progress:
    """One changing line on a terminal; a line for every tenth of the training elsewhere."""

    def __init__(self, stream):
        self.stream = stream
        self.start = time.monotonic()
        self.done = 0
        self.shown = -1

    def __call__(self, network, networks, epoch, epochs, train_loss, validation_loss, best_epoch):
        self.done += 1
        total = networks * epochs
        left = (time.monotonic() - self.start) * (total - self.done) / self.done
        line = (f"network {network + 1}/{networks}  epoch {epoch + 1}/{epochs}  loss {train_loss:.3e}  "
                f"validation {validation_loss:.3e}  {left:.0f} s left")
        if self.stream.isatty():
            print(f"\r\x1b[K{line}", end="\n" if self.done == total else "", file=self.stream, flush=True)
        elif 10 * self.done // total > self.shown:
            self.shown = 10 * self.done // total
            print(line, file=self.stream, flush=True)


def _as_data_set(data, name):
    if isinstance(data, _nouq.DataSet):
        return data
    if isinstance(data, (tuple, list)) and len(data) == 2:
        return _nouq.DataSet(*data)
    raise TypeError(f"{name} is a {type(data).__name__}: expected a nouq.DataSet or a pair (inputs, outputs)")


def _require_known(options):
    known = [setting[0] for setting in _nouq.train_settings()]
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            raise TypeError(f"train() has no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def train(data, validation=None, *, progress=True, **options):
    """A model from data.

    data and validation are DataSets or pairs (inputs, outputs) of arrays [samples, axes..., channels]. Without
    validation data, a fifth of the data is held out. With 19 validation samples or more the model also learns to
    judge its answers (Prediction.trust); with a law in the data, how strictly `nouq predict --conserve` is to hold it.

    The model is the one that the command `nouq train` makes of the same data and settings; the keywords are its
    options, listed below with what they may be. unlabelled may also be an array of inputs, from_ a Model. progress may be True, False
    or a function of (network, networks, epoch, epochs, train_loss, validation_loss, best_epoch).

    >>> import numpy as np, nouq
    >>> x = np.random.default_rng(0).uniform(1, 2, (20, 1, 1, 1)) * np.ones((1, 16, 8, 1))
    >>> model = nouq.train((x, 2 * x), method="ensemble", count=2, width=4, modes=3, epochs=2, batch=8,
    ...                    progress=False)
    >>> model.method, model.members
    ('ensemble', 2)
    >>> nouq.train((x, 2 * x), widht=8)
    Traceback (most recent call last):
    ...
    TypeError: train() has no option 'widht'; did you mean 'width'?
    """
    _require_known(options)
    data = _as_data_set(data, "data")
    validation = None if validation is None else _as_data_set(validation, "validation")
    tell = progress if callable(progress) else _Progress(sys.stderr) if progress else None
    return _nouq.train(data, validation, options, tell)


def _describe(function):
    """The keywords of train() from the library's one description of them: signature and documentation."""
    lines, group = [], None
    parameters = list(inspect.signature(function).parameters.values())[:-1]
    for name, keyword, help_line, paragraph, heading in _nouq.train_settings():
        if heading != group:
            group = heading
            lines += ["", f"{heading}:"]
        lines += [f"  {name}: {help_line}"]
        default = ast.literal_eval(keyword.split(" = ", 1)[1])
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    function.__signature__ = inspect.Signature(parameters)
    function.__doc__ = inspect.cleandoc(function.__doc__) + "\n" + "\n".join(lines) + "\n"


_describe(train)
