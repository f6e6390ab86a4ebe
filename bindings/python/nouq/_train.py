"""Training from Python: data in any form, progress on one line."""

import sys
import time
from typing import Any, Callable, List, Optional, Tuple, Union

from numpy.typing import ArrayLike

from . import _nouq

Data = Union[_nouq.DataSet, Tuple[ArrayLike, ArrayLike]]


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


def train(data: Data, validation: Optional[Data] = None, *, method: str = "diverse",
          progress: Union[bool, Callable[..., None]] = True, **options: Any) -> _nouq.Model:
    """A model from data.

    data and validation are DataSets or pairs (inputs, outputs) of arrays [samples, axes..., channels]. Without
    validation data, a fifth of the data is held out. With 19 validation samples or more the model also learns to
    judge its answers (Prediction.trust); with a law in the data, how strictly `nouq predict --conserve` is to hold it.

    The model is the one that the command `nouq train` makes of the same data and settings. Options have its names and
    defaults (200 epochs, else those of the paper as far as the grid allows), and `nouq train --help` explains them.
    Of the method: count (heads, networks or masks), dropout (a probability), diversity (a kind, "weights"), strength
    (lambda), bound, warmup, sampled, unlabelled (an array of inputs), laplace, count_points, add_noise. Of the
    network: width, modes, padding, blocks, features, normalise. Of training: epochs, batch, rate, schedule,
    weight_decay, patience, seed, threads (0: all cores), folder (of checkpoints, from which an interrupted training
    goes on). progress may be True, False or a function of (network, networks, epoch, epochs, train_loss,
    validation_loss, best_epoch).

    >>> import numpy as np, nouq
    >>> x = np.random.default_rng(0).uniform(1, 2, (20, 1, 1, 1)) * np.ones((1, 16, 8, 1))
    >>> model = nouq.train((x, 2 * x), method="ensemble", count=2, width=4, modes=3, epochs=2, batch=8,
    ...                    progress=False)
    >>> model.method, model.members
    ('ensemble', 2)
    """
    data = _as_data_set(data, "data")
    if validation is None:
        data, validation, _ = data.split(0.8, 0.2, 0.0, options.get("seed", 0))
    else:
        validation = _as_data_set(validation, "validation")
    tell = progress if callable(progress) else _Progress(sys.stderr) if progress else None
    return _nouq.train(data, validation, {"method": method, **options}, tell)
