"""The peer of bench/project.cpp: the same projections in numpy, written down as the formulas are, with explicit matrices.

    the first line on stdout:      ok WHAT THIS IS
    request (one line on stdin):   diagonal|low-rank|bounded FIELDS
    answer  (one line on stdout):  milliseconds of processor time of one call

Every field has 100 x 20 values; each of its 20 times has its own covariance matrix (100 x 100) and one integral.
Run by hand:  echo "diagonal 1000" | OMP_NUM_THREADS=1 python3 bench/peer/project_numpy.py
"""
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402  (after the thread count)

NX, NT, MEMBERS = 100, 20, 10


class Case:
    def __init__(self, fields):
        random = np.random.default_rng(0)
        front = np.maximum(0, np.linspace(0, 1, NT)[None, :, None] - np.linspace(0, 1, NX)[None, None, :])
        self.samples = front[:, None] + 0.1 * random.random((fields, MEMBERS, NT, NX))
        self.mean = self.samples.mean(1)
        self.variance = self.samples.var(1, ddof=1)
        self.g = np.full((1, NX), 1 / (NX - 1))
        self.g[0, [0, -1]] /= 2
        self.b = np.broadcast_to(0.5 * np.linspace(0, 1, NT) ** 2, (fields, NT))

    def condition(self, mean, covariance, b):
        """All times of one field: [NT, NX], [NT, NX, NX], [NT]."""
        g = self.g[None]
        cross = covariance @ g.transpose(0, 2, 1)
        gain = cross @ np.linalg.inv(g @ cross)
        residual = (g @ mean[..., None]) - b[:, None, None]
        new = covariance - gain @ cross.transpose(0, 2, 1)
        return mean - (gain @ residual)[..., 0], np.diagonal(new, axis1=1, axis2=2)

    def diagonal(self):
        eye = np.eye(NX)
        return [self.condition(m, v[..., None] * eye, b) for m, v, b in zip(self.mean, self.variance, self.b)]

    def low_rank(self):
        result = []
        for mean, samples, b in zip(self.mean, self.samples, self.b):
            d = ((samples - mean) / np.sqrt(MEMBERS - 1)).transpose(1, 2, 0)
            result.append(self.condition(mean, d @ d.transpose(0, 2, 1), b))
        return result

    def bounded(self):
        """Bisection on the multiplier of each time, all times of a field at once."""
        result = []
        eye, g, noise_variance = np.eye(NX), self.g[0], 1e-6
        for mean, variance, b in zip(self.mean, self.variance, self.b):
            step = variance * g
            low, high = np.full(NT, -1e6), np.full(NT, 1e6)
            for _ in range(60):
                middle = 0.5 * (low + high)
                u = np.clip(mean - middle[:, None] * step, 0, 1)
                above = u @ g - b - noise_variance * middle > 0
                low, high = np.where(above, middle, low), np.where(above, high, middle)
            result.append((u, self.condition(mean, variance[..., None] * eye, b)[1]))
        return result


def main():
    print(f"ok numpy {np.__version__}", flush=True)
    cases = {}
    for line in sys.stdin:
        kind, fields = line.split()
        if fields not in cases:
            cases[fields] = Case(int(fields))
        start = time.process_time()
        getattr(cases[fields], kind.replace("-", "_"))()
        print(f"{1e3 * (time.process_time() - start):.4f}", flush=True)


main()
