"""nouq.train makes the model that `nouq train` makes: same settings for a grid, same weights, trust and slack.

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


with tempfile.TemporaryDirectory() as folder:
    data = f"{folder}/pme.npz"
    tool("generate", "pme", "--grid", "16x6", "-n", 100, "-o", data)
    tool("train", data, "--epochs", 2, "--width", 4, "--count", 3, "--seed", 7, "-o", f"{folder}/tool.nouq")
    trained = nouq.train(nouq.DataSet.load(data), epochs=2, width=4, count=3, seed=7, progress=False)
    trained.save(f"{folder}/python.nouq")
    assert trained.has_trust
    expected, found = answer(folder, "tool.nouq"), answer(folder, "python.nouq")
    assert {"mean", "std", "trust_score"} <= set(expected), sorted(expected)
    assert found == expected, [name for name in expected if found.get(name) != expected[name]]
