"""Train, save, ask and project from Python.

Sample run:  ./run python examples/10_python.py heat-from-python.nouq
"""
import sys

import numpy as np

import nouq

path = sys.argv[1] if len(sys.argv) > 1 else "heat-from-python.nouq"
data = nouq.problems.generate("heat", 100, seed=1)
model = nouq.train(data, method="diverse", count=4, width=8, modes=6, epochs=10, rate=5e-3,
                   schedule="one_cycle", progress=False)
model.save(path)

model = nouq.load(path)
shifted = nouq.problems.generate("heat", 20, range="large", seed=2)
law = nouq.conserve.integral(model.grid, "x", shifted.constraint_values["mass"])
prediction = model.predict(shifted.inputs)
projected = nouq.conserve.project(prediction.mean, prediction.variance, law)
print(model)
print("relative error far from the training data:", round(nouq.metrics.relative_l2(prediction.mean, shifted.outputs), 3))
print("with the heat conserved:                  ", round(nouq.metrics.relative_l2(projected.mean, shifted.outputs), 3))
print("called in domain:", int(np.sum(prediction.trust.verdict == "in-domain")), "of", len(shifted))
