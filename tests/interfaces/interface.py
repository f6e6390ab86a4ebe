"""The Python interface beyond the golden networks: kinds of arrays, threads, training, laws, metrics, files.

    interface.py MODELS GOLDEN
"""
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np

import nouq

models = Path(sys.argv[1])
model = nouq.load(models / "b_diverse.nouq")
x = np.fromfile(models / "b_diverse.inputs", np.float32).reshape(3, 100, 20, 1)
truth = model.predict(x)


def check_arrays():
    """Any order, stride and precision of the same numbers gives the same answer."""
    wide = np.zeros((6, 100, 40, 1), np.float32)
    wide[::2, :, ::2] = x
    for same in (np.asfortranarray(x), x.astype(np.float64), wide[::2, :, ::2], x.astype(">f4"), x[::-1][::-1]):
        assert model.predict(same).mean.tobytes() == truth.mean.tobytes()
    one = model.predict(x[1, :, :, 0], samples=True)
    assert one.mean.shape == (100, 20) and one.samples.shape == (4, 100, 20)
    assert one.mean.tobytes() == truth.mean[1].tobytes()
    ones = model.predict(np.ones((100, 20), int))
    assert ones.mean.tobytes() == model.predict(np.broadcast_to(np.float32(1), (100, 20))).mean.tobytes()
    assert np.array_equal(truth.variance, truth.std**2)


def check_trust():
    assert model.has_trust and truth.trust.score.shape == (3,)
    spread = np.sqrt((truth.std**2).sum((1, 2, 3)) / (truth.mean**2).sum((1, 2, 3))) / 0.5
    assert np.allclose(truth.trust.score, spread)
    names = np.where(spread <= 1, "in-domain", np.where(spread <= 2, "doubtful", "out-of-domain"))
    assert list(truth.trust.verdict) == list(names)
    assert nouq.load(models / "a_fno2d.nouq").predict(x).trust is None


def check_gradients():
    weights = np.random.default_rng(1).normal(size=truth.mean.shape)
    gradient = model.gradient(x, weights)
    assert gradient.shape == x.shape and np.array_equal(model.gradient(x[1, :, :, 0], weights[1, :, :, 0]), gradient[1, ..., 0])
    along = model.derivative(x, gradient)
    assert along.shape == truth.mean.shape and np.isclose(np.sum(along * weights), np.sum(gradient**2), rtol=1e-4)
    step = 1e-2 * np.abs(x).max() / np.abs(gradient).max() * gradient
    change = (model.predict(x + step).mean - model.predict(x - step).mean) / 2
    assert np.isclose(np.sum(change * weights), np.sum(step * gradient), rtol=2e-2)
    assert model.parameters == []
    try:
        model.parameter_gradient([1.0], weights)
        raise AssertionError("a model of fields has no parameters")
    except nouq.Error as error:
        assert "fields, not functions of parameters" in str(error)


def check_threads():
    wrong = []

    def ask():
        for _ in range(5):
            if model.predict(x).mean.tobytes() != truth.mean.tobytes():
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def check_training():
    data = nouq.problems.generate("heat", 30, seed=3)
    told = []
    options = dict(count=3, width=6, modes=[4, 3], epochs=2, batch=10, threads=1, seed=5)
    trained = nouq.train(data, progress=lambda *report: told.append(report), **options)
    assert [report[2] for report in told] == [0, 1] + 3 * [0], "and three short fits that calibrate"
    assert trained.history["network.0"].shape == (2, 3)
    assert trained.members == 3 and trained.has_trust, "calibrated on all thirty samples"
    six = nouq.train(data, progress=False, cross_folds=0, **options)
    assert six.has_trust, "six held-out samples state a rate of one false alarm in seven"
    train, validation, _ = data.split(0.8, 0.2, 0.0, 5)
    again = nouq.train((train.inputs, train.outputs), (validation.inputs, validation.outputs), progress=False, **options)
    assert again.predict(data.inputs).mean.tobytes() == trained.predict(data.inputs).mean.tobytes()
    with tempfile.TemporaryDirectory() as folder:
        trained.save(f"{folder}/m.nouq")
        assert nouq.load(f"{folder}/m.nouq").predict(data.inputs).mean.tobytes() == \
            trained.predict(data.inputs).mean.tobytes()
        data.save(f"{folder}/d.npz")
        assert np.array_equal(nouq.DataSet.load(f"{folder}/d.npz").outputs, data.outputs)

    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    try:
        nouq.train(data, progress=stop, **options)
    except Stop:
        return
    raise AssertionError("an exception in the progress function must come out of train()")


def check_laws():
    values = np.linspace(0.4, 0.6, 20)
    law = nouq.conserve.integral(model.grid, "x", values)
    weights = np.full(100, 1 / 99)
    weights[[0, -1]] /= 2
    projected = nouq.conserve.project(truth.mean, truth.variance, law)
    assert np.allclose(np.einsum("x,sxtc->stc", weights, projected.mean)[..., 0], values, atol=1e-12)
    assert (projected.variance <= truth.variance + 1e-15).all()
    # The closed form of the paper, with numpy.
    gap = np.einsum("x,sxtc->stc", weights, truth.mean)[..., 0] - values
    gain = truth.variance[..., 0] * weights[:, None]
    gain /= np.einsum("x,sxt->st", weights, gain)[:, None]
    assert np.allclose(projected.mean[..., 0], truth.mean[..., 0] - gain * gap[:, None], atol=1e-12)
    samples = model.predict(x, samples=True).samples
    of_samples = nouq.conserve.project(truth.mean, samples=samples, constraints=law)
    assert np.allclose(np.einsum("x,smxtc->smtc", weights, of_samples.samples)[..., 0], values, atol=1e-9)
    # Three values, two of them free: worked out with a pencil. The variance is theirs and the samples'.
    small = [nouq.Axis("x", np.linspace(0, 1, 3))]
    mean = np.array([[[-0.2], [0.2], [0.9]]])
    members = mean[:, None] + np.array([-0.1, 0.1])[None, :, None, None]
    within = nouq.conserve.project(mean, np.full_like(mean, 0.01), nouq.conserve.integral(small, "x", 0.25),
                                   samples=members, lower=np.zeros(3), upper=1.0)
    assert np.allclose(within.mean.ravel(), [0, 0.08, 0.84], atol=1e-12)
    before = 0.01 + (within.mean - mean) ** 2  # counts as one sample more
    assert np.allclose(within.variance, (2 * np.var(within.samples, axis=1, ddof=1) + before) / 3, atol=1e-14)
    assert within.samples.min() >= 0
    both = nouq.conserve.stack([law, nouq.conserve.boundary(model.grid, "x", "low", np.zeros(20))])
    assert np.allclose(nouq.conserve.project(truth.mean, truth.variance, both).mean[:, 0], 0, atol=1e-12)


def check_grids():
    """Uneven points are answered where they are; without coordinates another number of them is refused."""
    x = np.linspace(0, 1, 24) ** 1.5
    data = nouq.DataSet(np.ones((20, 24, 1)) * np.linspace(1, 2, 20)[:, None, None],
                        np.linspace(1, 2, 20)[:, None, None] * np.sin(3 * x)[None, :, None],
                        grid=[nouq.Axis("x", x)], input_names=["k"], parameters=np.linspace(1, 2, 20),
                        parameter_names=["k"])
    own = nouq.train(data, progress=False, width=6, count=2, epochs=20, threads=1)
    even = [nouq.Axis("x", np.linspace(0, 1, 40))]
    asked = own.predict(1.5 * np.ones((1, 40, 1)), grid=even, samples=True)
    assert asked.mean.shape == asked.std.shape == (1, 40, 1) and asked.samples.shape == (1, 2, 40, 1)
    assert asked.band is None and len(asked.trust.reasons) == 1
    there = own.predict(1.5 * np.ones((1, 24, 1)))
    assert np.abs(np.interp(x, np.linspace(0, 1, 40), asked.mean[0, :, 0]) - there.mean[0, :, 0]).max() < 0.02
    assert "unevenly spaced" in refused(nouq.Error, lambda: own.predict(np.ones((1, 40, 1))))
    runs = own.suggest({"k": (1, 4)}, count=3, among=64)
    assert len(runs) == 3 and all(1 <= run["parameters"]["k"] <= 4 for run in runs)
    assert runs[0]["gain"] >= runs[1]["gain"] > 0


def refused(kind, call):
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError("no error")


def check_data_sets():
    fields = np.ones((3, 16, 8, 1))
    assert nouq.DataSet(fields, fields).parameters.shape == (3, 0)
    assert nouq.DataSet(fields, fields, parameters=[1, 2, 3]).parameters.tolist() == [[1], [2], [3]]
    refused(nouq.Error, lambda: nouq.DataSet(fields, fields, parameters=np.float64(3)))
    refused(nouq.Error, lambda: nouq.DataSet(fields, fields, parameter_names=["a"]))
    assert "not an array of numbers" in refused(TypeError, lambda: model.predict([[1, 2], [3]]))
    law = nouq.conserve.integral(model.grid, "x", np.ones(20))
    refused(TypeError, lambda: nouq.conserve.project(truth.mean, truth.variance, law, lower=0, diagonal_share=0.3))


def check_metrics():
    u = truth.mean + 0.01
    assert np.isclose(nouq.metrics.mse(truth.mean, u), 1e-4)
    variance = np.full_like(u, 0.04)
    nll = 0.5 * (np.log(2 * np.pi * 0.04) + 1e-4 / 0.04)
    value, each = nouq.metrics.nll(truth.mean, variance, u, per_sample=True)
    assert np.isclose(value, each.mean()) and np.isclose(value / nll, round(value / nll)), (value, nll)
    assert set(nouq.metrics.__all__) >= {"mse", "nll", "rmsce", "crps", "coverage", "conservation_error"}


for check in (check_arrays, check_trust, check_gradients, check_threads, check_training, check_grids, check_laws, check_data_sets, check_metrics):
    check()
    print(check.__name__, "ok")
