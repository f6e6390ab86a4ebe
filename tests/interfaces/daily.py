"""What a day's work in Python needs: words for mistakes, labelled arrays, projections, roll-outs, fine-tuning.

    daily.py MODELS GOLDEN
"""
import sys

import numpy as np

import nouq


class Labelled(np.ndarray):
    """What xarray.DataArray has, as far as nouq looks at it."""

    def __new__(cls, values, dims, coords):
        array = np.asarray(values).view(cls)
        array.dims, array.coords = tuple(dims), coords
        return array


def message(call):
    try:
        call()
    except (TypeError, ValueError) as error:
        return str(error)
    raise AssertionError("no error")


def check(condition, what):
    if not condition:
        raise AssertionError(what)


x, t = np.arange(16) / 16, 0.1 * np.arange(6)
phase = np.linspace(0, 3, 40)[:, None, None]
u = 1 + np.exp(-t) * np.sin(2 * np.pi * (x[:, None] - t) + phase)
grid = [nouq.Axis("x", x, kind="periodic"), nouq.Axis("t", t)]
inputs = np.repeat(u[:, :, :1], 6, 2)[..., None]
data = nouq.DataSet(inputs, u[..., None], grid=grid, bounds=[(0, 2)], constraint_values={"mass": u.mean(1)})
quick = dict(method="ensemble", count=2, width=6, blocks=2, epochs=3, batch=8, progress=False)

# Mistakes, in Python's words.
model = nouq.train(data, modes=[4, 2], **quick)
for call in (lambda: nouq.DataSet(inputs, inputs, bounds=[1]), lambda: model.predict(inputs, sample=True),
             lambda: model.predict(inputs, grid="x"), lambda: nouq.train(data, seed=-1, **quick),
             lambda: nouq.train(data, seed="x", **quick), lambda: data.select("a"), lambda: nouq.DataSet.load(3)):
    said = message(call)
    check("incompatible" not in said and "std::" not in said and "Unable to cast" not in said, said)
check("did you mean 'samples'" in message(lambda: model.predict(inputs, sample=True)), "a suggestion")

# What a model and an answer say of themselves.
check(repr(model).startswith("Model('ensemble', a -> u on x 16, t 6; 2 members"), repr(model))
answer = model.predict(data.inputs[:2])
check(repr(answer).startswith("Prediction(mean (2, 16, 6, 1), std"), repr(answer))
check(answer.dims == ("sample", "x", "t", "channel") and list(answer.coords) == ["x", "t", "channel"], answer.dims)

# Onto the law and into the bounds.
held = model.predict(data.inputs[:2], project="bounded", values={"mass": u[:2].mean(1)}, noise_variance=0)
np.testing.assert_allclose(held.mean[..., 0].mean(1), u[:2].mean(1), atol=1e-12)
check(held.mean.min() >= 0 and held.mean.max() <= 2, "within the bounds")

# Labelled arrays in any order.
labelled = Labelled(np.moveaxis(inputs[:2, ..., 0], 0, -1), ("x", "t", "sample"), {"x": x, "t": t})
np.testing.assert_array_equal(model.predict(labelled).mean, answer.mean)
check("dimensions ['x', 't', 'y']" in message(lambda: model.predict(Labelled(inputs[..., 0], ("x", "t", "y"), {}))), "named")
own = nouq.data_set(Labelled(inputs[..., 0], ("run", "x", "t"), {}), Labelled(u, ("run", "x", "t"), {"x": x, "t": t}))
np.testing.assert_array_equal(own.outputs, data.outputs)

# Fine-tuning from a model in memory.
tuned = nouq.train(data, from_=model, epochs=1, rate=1e-4, progress=False)
check(tuned.members == 2 and tuned.has_trust == model.has_trust, "as the model it comes from")

# A time step.
step = nouq.train(data, rollout=1, modes=4, **quick)
future = step.roll_out(data.select([0, 1]), steps=12, project="bounded")
check(future.mean.shape == (2, 16, 12, 1), future.mean.shape)
np.testing.assert_allclose(future.mean[..., 0].mean(1), u[:2, :, :1].mean(1).repeat(12, 1), atol=1e-6)
check(future.trust.score.shape == (2, 12) and (np.diff(future.trust.score, axis=1) >= 0).all(), "never falls")
np.testing.assert_array_equal(step.roll_out(data.inputs[:2, :, 0], steps=12, project="bounded").mean, future.mean)

try:
    import matplotlib
except ImportError:
    try:
        answer.plot()
    except ImportError as error:
        check("matplotlib" in str(error), error)
else:
    matplotlib.use("Agg")
    check(len(answer.plot(truth=u[:2, ..., None]).axes) == 3, "profiles at three times")
print("a day's work")
sys.exit(0)
