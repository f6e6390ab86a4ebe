"""A surrogate as a function of OpenTURNS: Sobol' indices, and a probability of failure that knows the surrogate's error.

A rod is heated in the shape of a sine and cools; its amplitude A and conductivity k are uncertain. What is asked for is the
temperature in its middle at the end, by how much each parameter drives it, and how probable it is that it is still above a
limit. The surrogate's standard deviation s is carried through by a third input z, standard normal: the function is
mean + s z, so what the surrogate does not know widens the answer as if it were one more uncertain parameter.

Sample run (Debian's python3-openturns):  ./run python examples/11_openturns.py
"""
import sys

import numpy as np
import openturns as ot

import nouq

epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 60
x, t = np.linspace(0, 1, 32), np.linspace(0, 1, 8)


def exact(amplitude, k):
    """[samples, x, t]"""
    decay = np.exp(-k[:, None, None] * np.pi**2 * t)
    return amplitude[:, None, None] * np.sin(np.pi * x)[:, None] * decay


# Runs of a solver; here there is a formula. Inputs are the parameters, constant over the grid.
random = np.random.default_rng(1)
table = random.uniform((0.8, 0.05), (1.2, 0.15), (120, 2))
inputs = np.broadcast_to(table[:, None, None, :], (120, 32, 8, 2)).astype(np.float32)
data = nouq.DataSet(inputs, exact(table[:, 0], table[:, 1])[..., None], [nouq.Axis("x", x), nouq.Axis("t", t)],
                    input_names=["A", "k"], parameters=table, parameter_names=["A", "k"])
model = nouq.train(data, method="diverse", count=5, width=12, modes=[8, 4], epochs=epochs, rate=5e-3, schedule="one_cycle",
                   progress=False)

middle, end = 16, 7


def middle_at_the_end(points):
    """Mean and standard deviation of many parameters at once."""
    answer = model.predict(model.inputs_of(np.asarray(points, dtype=float)))
    return answer.mean[:, middle, end, 0], answer.std[:, middle, end, 0]


def with_uncertainty(points):
    points = np.asarray(points)
    mean, std = middle_at_the_end(points[:, :2])
    return (mean + std * points[:, 2])[:, None]


ot.RandomGenerator.SetSeed(1)
uniform = [ot.Uniform(0.8, 1.2), ot.Uniform(0.05, 0.15)]
parameters = ot.ComposedDistribution(uniform)
surrogate = ot.PythonFunction(2, 1, func_sample=lambda points: middle_at_the_end(points)[0][:, None])
truth = ot.PythonFunction(2, 1, func_sample=lambda points: exact(*np.asarray(points).T)[:, middle, end, None])
print("first-order Sobol' indices          A      k")
for label, function in (("surrogate", surrogate), ("exact", truth)):
    design = ot.SobolIndicesExperiment(parameters, 1000).generate()
    indices = ot.SaltelliSensitivityAlgorithm(design, function(design), 1000).getFirstOrderIndices()
    print(f"  {label:30} {indices[0]:6.3f} {indices[1]:6.3f}")

limit = 0.62
together = ot.ComposedDistribution([*uniform, ot.Normal()])
points = together.getSample(5000)
uncertain = ot.PythonFunction(3, 1, func_sample=with_uncertainty)


def share_above(values):
    return float(np.mean(np.asarray(values) > limit))


print(f"probability of more than {limit} in the middle at the end")
print(f"  by the mean alone              {share_above(surrogate(points[:, :2])):.4f}")
print(f"  with the surrogate's own error {share_above(uncertain(points)):.4f}")
print(f"  exact, of the same samples     {share_above(truth(points[:, :2])):.4f}")
mean, std = middle_at_the_end(np.asarray(points)[:, :2])
print(f"  the surrogate's standard deviation is {np.median(std):.4f} in the middle of its values, its error "
      f"{np.sqrt(np.mean((mean[:, None] - np.asarray(truth(points[:, :2])))**2)):.4f}")
