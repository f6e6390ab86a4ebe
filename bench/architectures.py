#!/usr/bin/env python3
"""fno beside ffno: the table of docs/networks.md.

    bench/architectures.py NOUQ [--data heat,pme,darcy-field,xyt] [--samples 50,100,400] [--seed 0] [--folder DIR]

NOUQ is the tool. For every data set, number of samples and architecture it trains one network of width 32 by
one-cycle for 100 epochs on one thread and prints the relative error on 100 new samples, the number of weights,
the size of the model file and the seconds of processor time. Data and models stay in the folder, and what is
there is not made again. Needs numpy, for the data over three axes.
"""
import argparse
import json
import os
import resource
import subprocess

import numpy as np

HELD_OUT, TEST = 50, 100


def spot(samples, seed, n=16, nt=12):
    """A spot that spreads and is carried around a periodic square, in closed form: sums of its images.

    Inputs: the spot at the start, both velocities and the diffusivity. Output: the field over x, y and t.
    """
    draw = np.random.default_rng(seed)
    along, times = np.arange(n) / n, np.linspace(0, 1, nt)
    centre, velocity = draw.uniform(0, 1, (samples, 2)), draw.uniform(-0.5, 0.5, (samples, 2))
    diffusivity = draw.uniform(0.002, 0.01, samples)

    def line(axis, time):  # [samples, n]: one factor of the spot
        distance = along[None, :, None] - centre[:, axis, None, None] - velocity[:, axis, None, None] * time
        distance = distance + np.arange(-3, 4)[None, None, :]
        variance = 0.08**2 + 2 * diffusivity[:, None, None] * time
        return np.sum(np.exp(-distance**2 / (2 * variance)), axis=2) * 0.08 / np.sqrt(variance[:, :, 0])

    fields = np.stack([line(0, t)[:, :, None] * line(1, t)[:, None, :] for t in times], axis=3)[..., None]
    constants = np.concatenate([velocity, diffusivity[:, None]], axis=1)[:, None, None, None, :]
    start = np.broadcast_to(fields[:, :, :, :1], fields.shape)
    inputs = np.concatenate([start, np.broadcast_to(constants, fields.shape[:-1] + (3,))], axis=4)
    return {
        "inputs": inputs.astype(np.float32), "outputs": fields.astype(np.float32),
        "axis0": along, "axis1": along, "axis2": times,
        "axes": np.array([["x", "", "periodic"], ["y", "", "periodic"], ["t", "", ""]]),
        "input_channels": np.array([["u0"], ["vx"], ["vy"], ["diffusivity"]]), "output_channels": np.array([["u"]]),
    }


class Table:
    def __init__(self, tool, folder, seed):
        self.tool, self.folder, self.seed = os.path.abspath(tool), folder, seed
        os.makedirs(folder, exist_ok=True)

    def data(self, name, what, samples, seed):
        path = os.path.join(self.folder, f"{name}-{what}-{self.seed}.npz")
        if os.path.exists(path):
            return path
        if name == "xyt":
            np.savez(path, **spot(samples, seed))
        else:
            self.run("generate", name, "-n", samples, "--seed", seed, "-o", path)
        return path

    def run(self, *arguments):
        done = subprocess.run([self.tool, *map(str, arguments)], stdout=subprocess.PIPE, check=True, text=True)
        return done.stdout

    def train(self, name, samples, architecture):
        """The model's path and seconds of processor time; the time is kept beside the model."""
        path = os.path.join(self.folder, f"{name}-{samples}-{architecture}-{self.seed}.nouq")
        seconds = path + ".seconds"
        if not os.path.exists(seconds):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            extra = ["--modes", "6,6,6", "--padding", "0,0,0"] if name == "xyt" else []
            self.run("train", self.data(name, f"train-{samples}", samples, 10 * self.seed + 1),
                     "--validation", self.data(name, "held-out", HELD_OUT, 10 * self.seed + 2), "--method", "bayesian",
                     "--schedule", "one_cycle", "--rate", "3e-3", "--epochs", 100, "--width", 32, "--threads", 1,
                     "--architecture", architecture, "--seed", self.seed, "-o", path, "-q", *extra)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            with open(seconds, "w", encoding="utf-8") as file:
                file.write(str(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
        with open(seconds, encoding="utf-8") as file:
            return path, float(file.read())

    def error(self, name, model):
        """Mean over new samples of |prediction - truth| / |truth|."""
        test = self.data(name, "test", TEST, 10 * self.seed + 3)
        answer = os.path.join(self.folder, "answer.npz")
        self.run("predict", model, "--input", test, "-o", answer, "-q")
        axes = (1, 2, 3, 4) if name == "xyt" else (1, 2, 3)
        with np.load(test) as truth, np.load(answer) as prediction:
            wrong = np.sum((prediction["mean"] - truth["outputs"]) ** 2, axis=axes)
            return float(np.mean(np.sqrt(wrong / np.sum(truth["outputs"].astype(float) ** 2, axis=axes))))

    def row(self, name, samples):
        cells = []
        for architecture in ("fno", "ffno"):
            path, seconds = self.train(name, samples, architecture)
            weights = json.loads(self.run("info", path, "--json"))["weights"]
            cells += [f"{self.error(name, path):.3g}", str(weights), f"{1e-6 * os.path.getsize(path):.1f}",
                      f"{seconds:.0f}"]
        print("|", name, "|", samples, "|", " | ".join(cells), "|", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--data", default="heat,pme,darcy-field,xyt")
    parser.add_argument("--samples", default="50,100,400")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", default="architectures")
    options = parser.parse_args()
    table = Table(options.tool, options.folder, options.seed)
    print("| data | samples | fno: error | weights | file, MB | seconds | ffno: error | weights | file, MB | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in options.data.split(","):
        for samples in map(int, options.samples.split(",")):
            table.row(name, samples)


if __name__ == "__main__":
    main()
