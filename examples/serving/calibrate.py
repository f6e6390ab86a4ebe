"""Calibrates the exponent m of the porous medium equation from noisy data, through UM-Bridge.

Random walk Metropolis, with and without the surrogate's variance in the likelihood, for several draws of the noise:

  nouq serve pme.nouq &
  nouq generate pme -n 1 --range 2.4:2.4 -o truth.npz          # the solution that is measured
  python3 examples/serving/calibrate.py pme truth.npz --seeds 20 --figure calibration.svg

Measured are a few values of u at the last time, with noise of a known standard deviation. With the surrogate's variance s^2
the likelihood of a measurement y is N(y; mean, noise^2 + s^2). Where the surrogate is wrong its sigma is large, the likelihood
wide, and the interval for m honest; without it the chain believes a wrong curve.
"""
import argparse
import math
import random

import numpy as np

from um_bridge import HTTPModel


def log_likelihood(model, m, places, measured, noise, with_variance):
    mean, std = model([m])[:2]
    total = 0.0
    for place, y in zip(places, measured):
        variance = noise**2 + (std[place] ** 2 if with_variance else 0.0)
        total -= 0.5 * ((y - mean[place]) ** 2 / variance + math.log(variance))
    return total


def chain(target, start, low, high, steps, draw):
    """The second half of a random walk that starts with wide steps and then keeps to a third accepted."""
    m, step = start, 0.1 * (high - low)
    value, kept = target(m), []
    for i in range(steps):
        proposal = m + draw.gauss(0, step)
        accepted = False
        if low < proposal < high:
            other = target(proposal)
            accepted = math.log(1.0 - draw.random()) < other - value
            if accepted:
                m, value = proposal, other
        if i < steps // 2:
            step *= 1.1 if accepted else 0.95
        else:
            kept.append(m)
    return kept


def interval(samples, level=0.9):
    ordered = sorted(samples)
    cut = int(0.5 * (1 - level) * len(ordered))
    return ordered[cut], ordered[-1 - cut]


def svg(rows, truth, low, high):
    """Two intervals for each seed, and the truth."""
    width, height, left, top = 720, 76 + 16 * len(rows), 60, 40
    at = lambda m: left + (m - low) / (high - low) * (width - left - 20)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<line x1="{at(truth):.1f}" x2="{at(truth):.1f}" y1="{top - 8}" y2="{height - 36}" stroke="#333" stroke-dasharray="4 3"/>',
             f'<text x="{at(truth):.1f}" y="{top - 14}" text-anchor="middle">truth, m = {truth:g}</text>',
             f'<text x="{left}" y="14" fill="#0060a8">with the surrogate\'s variance</text>',
             f'<text x="{left + 220}" y="14" fill="#c1440e">without</text>',
             f'<text x="{left - 10}" y="{top - 4}" text-anchor="end">noise</text>',
             f'<text x="{0.5 * (left + width):.1f}" y="{height - 4}" text-anchor="middle">90 % interval of m</text>']
    for i, (seed, *intervals) in enumerate(rows):
        y = top + 16 * i + 6
        parts.append(f'<text x="{left - 10}" y="{y + 5}" text-anchor="end">{seed}</text>')
        for (a, b), colour, shift in zip(intervals, ("#0060a8", "#c1440e"), (0, 6)):
            a, b = max(a, low), min(b, high)
            parts.append(f'<line x1="{at(a) - 1:.1f}" x2="{at(b) + 1:.1f}" y1="{y + shift}" y2="{y + shift}" stroke="{colour}" stroke-width="4"/>')
    unit = 10.0 ** math.floor(math.log10(high - low))
    tick = next(t for t in (0.1 * unit, 0.2 * unit, 0.5 * unit, unit) if (high - low) / t <= 10)
    for i in range(math.ceil(low / tick), math.floor(high / tick) + 1):
        parts.append(f'<text x="{at(i * tick):.1f}" y="{height - 22}" text-anchor="middle">{i * tick:g}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("truth", help="a data set of one sample, its parameter the truth")
    parser.add_argument("--address", default="127.0.0.1:4242")
    parser.add_argument("--prior", default="1:6", help="uniform between")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--measurements", type=int, default=10)
    parser.add_argument("--noise", type=float, default=0.02)
    parser.add_argument("--figure")
    options = parser.parse_args()
    low, high = map(float, options.prior.split(":"))
    model = HTTPModel(options.address, options.model)
    with np.load(options.truth) as file:
        fields, truth = file["outputs"][0, ..., 0], float(file["parameters"][0, 0])
    xs, ts = fields.shape
    rows, covered = [], [0, 0]
    for seed in range(options.seeds):
        draw = random.Random(seed)
        columns = sorted(draw.sample(range(1, xs), options.measurements))
        places = [x * ts + ts - 1 for x in columns]
        measured = [float(fields.flat[p]) + draw.gauss(0, options.noise) for p in places]
        row = [seed]
        for which, with_variance in enumerate((True, False)):
            target = lambda m: log_likelihood(model, m, places, measured, options.noise, with_variance)
            samples = chain(target, 0.5 * (low + high), low, high, options.steps, random.Random(100 + seed))
            a, b = interval(samples)
            covered[which] += a <= truth <= b
            row.append((a, b))
        rows.append(row)
        print(f"seed {seed:2}: with the variance {row[1][0]:.3f} to {row[1][1]:.3f}, without {row[2][0]:.3f} to {row[2][1]:.3f}",
              flush=True)
    print(f"truth {truth:g} within 90 %: with the variance {covered[0]} of {options.seeds}, without {covered[1]}")
    if options.figure:
        ends = [e for row in rows for pair in row[1:] for e in pair] + [truth]
        margin = 0.1 * (max(ends) - min(ends))
        with open(options.figure, "w", encoding="utf-8") as file:
            file.write(svg(rows, truth, min(ends) - margin, max(ends) + margin))


if __name__ == "__main__":
    main()
