"""Fourier neural operators from weights made elsewhere.

Two spellings of the weights are understood: nouq's own names (those in a model file), and the state dict of the
published FNO2d and DiverseFNO2d ("fc0.weight", "fourier_layers.0.conv.weights1", ...), as numpy arrays.
"""

import re
from typing import Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _nouq


def _released(state):
    """The published names and layouts, in nouq's."""
    known = {}

    def take(name):
        if name not in state:
            raise _nouq.Error(f"the tensor '{name}' is missing")
        return np.asarray(state[name])

    known["lift.weight"], known["lift.bias"] = take("fc0.weight").T, take("fc0.bias")
    known["feature.weight"], known["feature.bias"] = take("fc1.weight").T, take("fc1.bias")
    known["head.weight"] = take("fc2.weight")
    if "fc2.bias" in state:
        known["head.bias"] = take("fc2.bias")
    blocks = {int(m.group(1)) for m in (re.match(r"fourier_layers\.(\d+)\.", name) for name in state) if m}
    modes = None
    for b in sorted(blocks):
        layer = f"fourier_layers.{b}"
        weight = take(f"{layer}.w.weight")
        known[f"blocks.{b}.linear.weight"] = weight.reshape(weight.shape[:2]).T
        known[f"blocks.{b}.linear.bias"] = take(f"{layer}.w.bias")
        sides = [_as_pairs(take(f"{layer}.conv.weights{side}"), layer) for side in (1, 2)]
        if sides[0].shape != sides[1].shape:
            raise _nouq.Error(f"{layer}.conv: weights1 has shape {sides[0].shape}, weights2 {sides[1].shape}")
        width_in, width_out, m0, m1, _ = sides[0].shape
        modes = (m0, m1)
        # [side, in, out, k0, k1, part] -> [k1, side, k0, in, part, out]
        known[f"blocks.{b}.spectral.weight"] = np.stack(sides).transpose(4, 0, 3, 1, 5, 2).reshape(
            2 * m0 * m1, width_in, 2, width_out)
    return known, modes


def _as_pairs(weights, layer):
    """Complex numbers as pairs of real ones."""
    if np.iscomplexobj(weights):
        weights = np.stack([weights.real, weights.imag], axis=-1)
    if weights.ndim != 5 or weights.shape[-1] != 2:
        raise _nouq.Error(f"{layer}.conv: weights of shape {weights.shape}, expected [in, out, modes, modes] complex, "
                          "or pairs of real numbers as a last axis")
    return weights


def _extent(tensors, name, axis):
    if name not in tensors:
        raise _nouq.Error(f"the tensor '{name}' is missing")
    shape = np.shape(tensors[name])
    if len(shape) != 2:
        raise _nouq.Error(f"the tensor '{name}' has shape {shape}: expected two extents")
    return shape[axis]


class Fno(_nouq.Fno):
    """A network with given weights: fno(x) gives its outputs, [samples, axes..., outputs], in float32."""

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, ArrayLike], *, modes: Optional[Sequence[int]] = None,
                     padding: Union[int, Sequence[int]] = 9) -> "Fno":
        """From a dict of arrays, in nouq's names or the published ones.

        modes (kept frequencies per axis) must be given with nouq's names; padding is in points, one number or one
        per axis.

        >>> import numpy as np, nouq
        >>> w, m, f = 2, 3, 5
        >>> tensors = {"lift.weight": np.ones((2, w)), "lift.bias": np.ones(w),
        ...            "blocks.0.linear.weight": np.ones((w, w)), "blocks.0.linear.bias": np.ones(w),
        ...            "blocks.0.spectral.weight": np.ones((m, w, 2, w)), "feature.weight": np.ones((w, f)),
        ...            "feature.bias": np.ones(f), "head.weight": np.ones((1, f)), "head.bias": np.ones(1)}
        >>> fno = nouq.Fno.from_tensors(tensors, modes=[m])
        >>> fno(np.zeros((4, 16, 1))).shape
        (4, 16, 1)
        """
        tensors = {re.sub(r"^network\.0\.", "", name): value for name, value in dict(tensors).items()}
        if "fc0.weight" in tensors:
            tensors, modes = _released(tensors)
        if modes is None:
            raise _nouq.Error("modes must be given: the tensors do not tell how many belong to which axis")
        modes = [int(m) for m in modes]
        blocks = sum(bool(re.fullmatch(r"blocks\.\d+\.linear\.weight", name)) for name in tensors)
        return cls(tensors, input_channels=_extent(tensors, "lift.weight", 0) - len(modes),
                   outputs=_extent(tensors, "head.weight", 0), modes=modes,
                   padding=[padding] * len(modes) if np.ndim(padding) == 0 else list(padding),
                   width=_extent(tensors, "lift.weight", 1), blocks=blocks,
                   features=_extent(tensors, "feature.weight", 1), head_bias="head.bias" in tensors)


def released_model(state: Mapping[str, ArrayLike], grid: Union[Sequence[int], Sequence[_nouq.Axis]], *,
                   padding: Union[int, Sequence[int]] = 9) -> _nouq.Model:
    """The published FNO2d or DiverseFNO2d as a nouq.Model, ready to predict and to save.

    state is its state dict as numpy arrays ({name: tensor.numpy() for name, tensor in net.state_dict().items()});
    grid is a list of two Axis, or the shape of the grid. A DiverseFNO2d becomes a model of the method "diverse". An
    FNO2d has no uncertainty of its own: its model says so with a standard deviation of zero.
    """
    if not all(isinstance(axis, _nouq.Axis) for axis in grid):
        grid = [_nouq.Axis(name, np.linspace(0.0, 1.0, int(count))) for name, count in zip("xt", grid)]
    return Fno.from_tensors(state, padding=padding).model(grid)
