"""One of every kind of call of the Python module. Allocations fail within the calls only: an interpreter without memory is
not ours."""
import contextlib
import ctypes
import sys

import numpy as np

import nouq

arm = getattr(ctypes.CDLL(None), "nouq_faults_arm", lambda on: None)


@contextlib.contextmanager
def counted():
    arm(1)
    try:
        yield
    finally:
        arm(0)


def work():
    with counted():
        data = nouq.DataSet.load("d.npz")
        model = nouq.load("m.nouq")
    x = np.array(data.inputs)
    mass = np.array(data.constraint_values["mass"])
    with counted():
        answer = model.predict(x, samples=True)
        mean, variance = answer.mean, answer.variance
        law = nouq.conserve.integral(model.grid, "x", mass)
        nouq.conserve.project(mean, variance, law)
        error = nouq.metrics.relative_l2(mean, data.outputs)
        data.save("out.npz")
    with counted():
        trained = nouq.train(data, count=2, width=2, blocks=1, modes=[2, 2], epochs=1, batch=4, threads=1, progress=False)
        trained.save("out.nouq")
    print(f"{error:.17g}")


try:
    work()
except (nouq.Error, nouq.Failure, MemoryError) as error:
    arm(0)
    print("nouq:", " ".join(str(error).split()) or "out of memory", file=sys.stderr)
    sys.exit(1)
