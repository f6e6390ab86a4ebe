"""10,000 random wrong calls through Python: an exception each, and the model works on.

    wrong_calls.py MODELS GOLDEN
"""
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

import nouq

models, golden = Path(sys.argv[1]), Path(sys.argv[2])
model = nouq.load(models / "a_fno2d.nouq")
x = np.fromfile(models / "a_fno2d.inputs", np.float32).reshape(3, 100, 20, 1)
before = model.predict(x).mean
file = (models / "a_fno2d.nouq").read_bytes()
state = {path.stem: np.load(path) for path in (golden / "a_fno2d" / "w").glob("*.npy")}
folder = tempfile.TemporaryDirectory()
pick = random.Random(1)


def wrong_shape():
    shape = [pick.randrange(0, 30) for _ in range(pick.randrange(0, 8))]
    if shape == [100, 20]:
        shape = []
    model.predict(np.zeros(shape[:6] if np.prod(shape, dtype=float) > 1e6 else shape, np.float32))


def wrong_value():
    broken = x.copy()
    broken.flat[pick.randrange(broken.size)] = pick.choice([np.nan, np.inf, -np.inf])
    model.predict(broken)


def wrong_type():
    model.predict(pick.choice([None, "text", object(), 1j * x, [["a"]], {1: 2}, np.array([None]), model]))


def wrong_file():
    path = Path(folder.name) / "cut.nouq"
    path.write_bytes(file[: pick.randrange(len(file))])
    nouq.load(path)


def wrong_tensors():
    broken = dict(state)
    name = pick.choice(sorted(broken))
    if pick.random() < 0.5:
        del broken[name]
    else:
        broken[name] = np.zeros([pick.randrange(1, 9) for _ in range(pick.randrange(0, 6))] + [3])
    if name == "fc2.bias":
        broken["fc2.bias"] = np.zeros(2)
    nouq.Fno.from_tensors(broken)


def wrong_metric():
    metric = getattr(nouq.metrics, pick.choice(nouq.metrics.__all__))
    metric(*(np.zeros([pick.randrange(0, 4) for _ in range(pick.randrange(1, 4))] + [k]) for k in range(2, 5)))


def wrong_law():
    axis = pick.choice(["", "y", "xx", "time"])
    kind = pick.randrange(3)
    if kind == 0:
        nouq.conserve.integral(model.grid, axis, np.zeros(20))
    elif kind == 1:
        nouq.conserve.integral(model.grid, "x", np.zeros(pick.choice([0, 2, 19, 21])))
    else:
        nouq.conserve.project(before, -np.ones_like(before), nouq.conserve.integral(model.grid, "x", np.zeros(20)))


def wrong_instance():
    kind = pick.choice([nouq.Model, nouq.DataSet, nouq.Prediction, nouq.Trust, nouq.Constraints, nouq.Axis])
    value = getattr(kind.__new__(kind), pick.choice([name for name in dir(kind) if not name.startswith("__") and name != "plot"]))
    value()


def wrong_name():
    path = pick.choice(["a.nouq", str(models / "a_fno2d.nouq")]) + "\0" + pick.choice(["", "b", ".npz"])
    pick.choice([nouq.load, model.save, nouq.DataSet.load])(path)


def wrong_option():
    name = pick.choice(["epoch", "width", "modes", "method", "count", "schedule", "batch", "strength",
                        "diversity", "laplace", "unlabelled"])
    value = {"epoch": 3, "width": -pick.randrange(9), "modes": pick.choice([0, -3, [1, 2, 3], "x"]), "method": "diverses",
             "count": pick.choice([-1, 0, 1, 1e9]), "schedule": "steps", "batch": pick.choice([-2, -1]), "strength": -1.0,
             "diversity": pick.choice(["wights", 1.0, "outputs"]), "laplace": "fuller",
             "unlabelled": pick.choice(["x", ["a"]])}[name]
    data = nouq.DataSet(np.ones((3, 16, 8, 1)), np.ones((3, 16, 8, 1)))
    nouq.train(data, data, progress=False, **{"epochs": 1, name: value})


calls = [wrong_shape, wrong_value, wrong_type, wrong_file, wrong_tensors, wrong_metric, wrong_law, wrong_option, wrong_instance,
         wrong_name]
for i in range(10000):
    call = pick.choice(calls)
    try:
        call()
    except (ValueError, TypeError, RuntimeError) as error:
        assert str(error), f"{call.__name__} without a message"
    else:
        raise AssertionError(f"call {i}, {call.__name__}: no error")
assert model.predict(x).mean.tobytes() == before.tobytes()
print("10,000 wrong calls, 10,000 errors")
