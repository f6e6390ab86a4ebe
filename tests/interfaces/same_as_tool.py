"""nouq.train makes the model that `nouq train` makes: same settings for a grid, same weights, trust and noise of the law.

    same_as_tool.py NOUQ

The grid holds fewer than the usual 12 modes, and the data have a law, so that both must choose for themselves.
"""
import subprocess
import sys
import tempfile

import numpy as np

import nouq


def tool(*words):
    subprocess.run([sys.argv[1], *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def answer(folder, model):
    """Mean and deviation after the projection that uses what the model keeps of its training data's law."""
    tool("predict", f"{folder}/{model}", "--param", "m=2.4", "--conserve", "bounded", "-o", f"{folder}/{model}.npz")
    return {name: array.tobytes() for name, array in np.load(f"{folder}/{model}.npz").items()}


def words(options):
    """The options of nouq.train as the command line spells them."""
    for name, value in options.items():
        yield f"--{name.replace('_', '-')}"
        if value is not True:
            yield value


with tempfile.TemporaryDirectory() as folder:
    data, unlabelled = f"{folder}/pme.npz", f"{folder}/unlabelled.npz"
    tool("generate", "pme", "--grid", "16x6", "-n", 100, "-o", data)
    tool("generate", "pme", "--grid", "16x6", "-n", 5, "--seed", 3, "-o", unlabelled)
    inputs = nouq.DataSet.load(unlabelled).inputs
    cases = [
        (dict(count=3), dict()),
        (dict(count=3, diversity="outputs", strength=0.5, bound=2, warmup=1, sampled=2, rate=2e-3, schedule="cosine",
              weight_decay=1e-3), dict(unlabelled=inputs)),
        (dict(method="bayesian", laplace="full", count_points=True, add_noise=True), dict()),
    ]
    for i, (case, arrays) in enumerate(cases):
        options = dict(epochs=2, width=4, seed=7, **case)
        by_tool, by_python = f"tool{i}.nouq", f"python{i}.nouq"
        files = {name: unlabelled for name in arrays}
        tool("train", data, *words({**options, **files}), "-o", f"{folder}/{by_tool}")
        trained = nouq.train(nouq.DataSet.load(data), **options, **arrays, progress=False)
        trained.save(f"{folder}/{by_python}")
        assert trained.has_trust
        expected, found = answer(folder, by_tool), answer(folder, by_python)
        assert {"mean", "std", "trust_score"} <= set(expected), sorted(expected)
        assert found == expected, (options, [name for name in expected if found.get(name) != expected[name]])
