"""The golden networks through Python: given weights, a converted model, a model file; the same bits as C++.

    golden.py MODELS GOLDEN
"""
import sys
import tempfile
from pathlib import Path

import numpy as np

import nouq

models, golden = Path(sys.argv[1]), Path(sys.argv[2])


def expected(name, what, shape):
    return np.fromfile(models / f"{name}.{what}", np.float32 if what == "inputs" else np.float64).reshape(shape)


def same(a, b):
    assert a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes(), "other bits than in C++"


for name, heads in (("a_fno2d", 1), ("b_diverse", 4)):
    state = {path.stem: np.load(path) for path in (golden / name / "w").glob("*.npy")}
    x = np.load(golden / name / "x.npy")
    mean = expected(name, "mean", (3, 100, 20, 1))
    deviation = expected(name, "deviation", (3, 100, 20, 1))

    fno = nouq.Fno.from_tensors(state)
    outputs = fno(x)
    assert outputs.shape == (3, 100, 20, heads) and outputs.dtype == np.float32
    if heads == 1:
        same(outputs.astype(np.float64), mean)
    else:
        samples = expected(name, "samples", (3, heads, 100, 20, 1))
        same(np.ascontiguousarray(np.moveaxis(outputs, -1, 1))[..., None].astype(np.float64), samples)

    # The same network again: complex weights, nouq's own names, a converted model, that model's file, the C++ file.
    as_complex = {key: value[..., 0] + 1j * value[..., 1] if "conv" in key else value for key, value in state.items()}
    same(nouq.Fno.from_tensors(as_complex)(x), outputs)
    same(nouq.Fno.from_tensors(fno.tensors, modes=fno.modes)(x), outputs)
    converted = nouq.released_model(state, (100, 20))
    with tempfile.TemporaryDirectory() as folder:
        converted.save(f"{folder}/model.nouq")
        reloaded = nouq.load(f"{folder}/model.nouq")
    for model in (converted, reloaded, nouq.load(models / f"{name}.nouq")):
        prediction = model.predict(x, samples=True)
        same(prediction.mean, mean)
        same(prediction.std, deviation)
        if heads > 1:
            same(prediction.samples, samples)
        else:
            assert prediction.samples is None
    print(f"{name}: the same bits as C++")
