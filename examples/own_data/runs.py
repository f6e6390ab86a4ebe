"""Solver runs of six kinds, as people have them: the files that docs/six-kinds-of-runs.md begins with.

    python3 runs.py KIND...     darcy airfoil waves advection floods burgers, all without a word

Each kind is written in a layout of its own, training runs and test runs apart. Everything is solved or known in closed
form on the grid that is written; nothing but numpy is needed.
"""
import csv
import os
import sys

import numpy as np


def smooth_fields(random, count, points, modes=4, decay=2.0):
    """Random periodic fields over the unit square, [count, points, points], the same functions for any number of points."""
    centres = (np.arange(points) + 0.5) / points
    fields = np.zeros((count, points, points))
    for i in range(modes):
        for j in range(modes):
            size = (1 + i * i + j * j) ** (-decay / 2)
            for wave_x in (np.cos, np.sin):
                for wave_y in (np.cos, np.sin):
                    weights = size * random.normal(size=(count, 1, 1))
                    x, y = wave_x(2 * np.pi * i * centres), wave_y(2 * np.pi * j * centres)
                    fields += weights * x[None, :, None] * y[None, None, :]
    return fields


def darcy_pressure(a):
    """-div(a grad p) = 1 on cells of the unit square with p = 0 around it, by finite volumes."""
    n = a.shape[0]
    h, index = 1.0 / n, np.arange(n * n).reshape(n, n)
    matrix = np.zeros((n * n, n * n))
    for axis in (0, 1):
        low, high = np.take(index, range(n - 1), axis).ravel(), np.take(index, range(1, n), axis).ravel()
        flat = a.ravel()
        face = 2 / (1 / flat[low] + 1 / flat[high])
        np.add.at(matrix, (low, low), face)
        np.add.at(matrix, (high, high), face)
        np.add.at(matrix, (low, high), -face)
        np.add.at(matrix, (high, low), -face)
        for end in (0, n - 1):
            cells = np.take(index, end, axis)
            matrix[cells, cells] += 2 * flat[cells]
    return np.linalg.solve(matrix, np.full(n * n, h * h)).reshape(n, n)


def coarser(fields):
    n = fields.shape[1] // 2
    return fields.reshape(-1, n, 2, n, 2).mean((2, 4))


def darcy():
    """One stacked file, [n, 16, 16]; a test file of the same fields on 16 x 16 and one on 32 x 32 cells."""
    for name, seed, count in (("darcy", 0, 120), ("darcy_test", 1, 40)):
        a = np.exp(0.7 * smooth_fields(np.random.default_rng(seed), count, 32))
        p = np.array([darcy_pressure(one) for one in a])
        cells = lambda n: (np.arange(n) + 0.5) / n
        np.savez(f"{name}.npz", a=coarser(a), p=coarser(p), x=cells(16), y=cells(16))
        if name == "darcy_test":
            np.savez("darcy_fine.npz", a=a, p=p, x=cells(32), y=cells(32))


def airfoil_fields(s, mach, angle):
    """Pressure in Pa, density in kg/m^3, speed in m/s and wall shear in Pa along a stretched surface, with a shock."""
    shock, width = 0.45 + 0.5 * (mach - 0.75) + 0.02 * angle, 0.02
    jump = 0.5 * (1 + np.tanh((s - shock) / width))
    suction = (0.6 + 0.1 * angle) * np.sqrt(s) * np.exp(-2 * s)
    local = mach * (1 + suction) * (1 - 0.35 * jump)
    base = 1 + 0.2 * local**2
    pressure, density = 101325 * 1.7 * base**-3.5, 1.225 * 1.5 * base**-2.5
    speed = 340 * local / np.sqrt(base)
    shear = 0.08 * (1 + angle / 8) * (1 - 0.9 * jump * np.exp(-((s - shock) / 0.15) ** 2)) / np.sqrt(0.05 + s)
    return dict(p=pressure, rho=density, v=speed, tau=shear)


def airfoil():
    """A folder with a file for each of 60 runs, a table with a column of text, and points that crowd at the nose."""
    s = np.linspace(0, 1, 96) ** 1.7
    random = np.random.default_rng(2)
    for name, count in (("airfoil", 60), ("airfoil_test", 30)):
        os.makedirs(name, exist_ok=True)
        with open(name + ".csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["file", "mach", "angle", "mesh"])
            for i, (mach, angle) in enumerate(random.uniform((0.7, 0), (0.85, 4), (count, 2))):
                np.savez(f"{name}/run{i}.npz", s=s, **airfoil_fields(s, mach, angle))
                table.writerow([f"run{i}", mach, angle, "medium"])


def waves():
    """One file: initial states [n, x] and speeds [n] for solutions [n, x, t] of 64 runs on a periodic string."""
    random = np.random.default_rng(3)
    x, t = np.arange(64) / 64, np.linspace(0, 0.5, 26)
    for name, count in (("waves", 64), ("waves_test", 32)):
        weights = random.normal(size=(count, 3, 2)) / np.arange(1, 4)[None, :, None]
        speed = random.uniform(0.5, 1.0, count)

        def initial(places):
            return sum(weights[:, k, 0, None] * np.sin(2 * np.pi * (k + 1) * places)
                       + weights[:, k, 1, None] * np.cos(2 * np.pi * (k + 1) * places) for k in range(3))

        u = np.stack([(initial(x + speed[:, None] * now) + initial(x - speed[:, None] * now)) / 2 for now in t], -1)
        np.savez(f"{name}.npz", u0=initial(x[None, :] + 0 * speed[:, None]), c=speed, u=u, x=x, t=t)


def advection():
    """A data file without a time axis: the state after one turn of a while, of periodic profiles, and their mass."""
    random = np.random.default_rng(4)
    n, x = 100, np.arange(64) / 64
    for name, count in (("advection", n), ("advection_test", 50)):
        centre, width = random.uniform(0, 1, (count, 1)), random.uniform(0.05, 0.2, (count, 1))
        speed = random.uniform(0.2, 0.8, (count, 1))
        profile = lambda places: np.exp((np.cos(2 * np.pi * (places - centre)) - 1) / (2 * np.pi * width) ** 2)
        u0, u = profile(x), profile(x - speed)
        np.savez(f"{name}.npz", inputs=np.stack([u0, speed + 0 * u0], -1), outputs=u[..., None], axis0=x,
                 axes=np.array([["x", "m", "periodic"]]), input_channels=np.array([["u0", "K"], ["c", "m/s"]]),
                 output_channels=np.array([["u", "K"]]), constraint_mass=u0.mean(1))


def flood(rain, slope, place, times, n=16):
    """Depths of water that rains on one place and runs down a slope and towards lower water: explicit finite volumes."""
    h, step, now = np.zeros((n, n)), 2e-3, 0.0
    cells = (np.arange(n) + 0.5) / n
    source = np.exp(-((cells[:, None] - place[0]) ** 2 + (cells[None, :] - place[1]) ** 2) / 0.02)
    source *= rain / source.mean()  # so much a second over the unit square
    bed, result, wet = slope * cells[:, None] + 0 * h, [], []
    for until in times:
        while now < until - 1e-12:
            level = bed + h
            for axis in (0, 1):
                fall = -np.diff(level, axis=axis) * n
                upwind = np.where(fall > 0, np.take(h, range(n - 1), axis), np.take(h, range(1, n), axis))
                flux = 0.05 * upwind * fall * n * step  # no water, no flux
                pad = [(0, 0), (0, 0)]
                pad[axis] = (1, 1)
                h = h - np.diff(np.pad(flux, pad), axis=axis)
            h, now = h + step * source, now + step
        result.append(h)
        wet.append(rain * now)
    return np.stack(result, -1), np.array(wet)


def floods():
    """A folder of 64 runs on 16 x 16 cells and 11 times, with the water that has rained so far as a known mass."""
    random = np.random.default_rng(5)
    times, cells = np.linspace(0.1, 1, 10), (np.arange(16) + 0.5) / 16
    for name, count in (("floods", 64), ("floods_test", 24)):
        os.makedirs(name, exist_ok=True)
        with open(name + ".csv", "w") as table:
            table.write("file,rain,slope,px,py\n")
            for i in range(count):
                rain, slope, *place = random.uniform((0.2, 0, 0.3, 0.3), (1, 0.5, 0.7, 0.7))
                h, water = flood(rain, slope, place, times)
                np.savez(f"{name}/run{i}.npz", h=h, water=water, x=cells, y=cells, t=times)
                table.write(f"run{i},{rain},{slope},{place[0]},{place[1]}\n")


def burgers_solution(u0, times, viscosity=0.01):
    """u_t + (u^2 / 2)_x = viscosity u_xx, periodic on [0, 1), by its Fourier modes and a fourth-order Runge-Kutta step."""
    n, waves = u0.shape[1], 2j * np.pi * np.fft.rfftfreq(u0.shape[1], 1 / u0.shape[1])
    kept = np.abs(waves) < 2 * np.pi * n / 3
    rate = lambda v: -waves * kept * np.fft.rfft(np.fft.irfft(v * kept, n) ** 2 / 2) + viscosity * waves**2 * v
    state, now, result = np.fft.rfft(u0), 0.0, []
    step = 0.2 / n
    for until in times:
        while now < until - 1e-12:
            dt = min(step, until - now)
            a = rate(state)
            b = rate(state + dt / 2 * a)
            c = rate(state + dt / 2 * b)
            d = rate(state + dt * c)
            state, now = state + dt / 6 * (a + 2 * b + 2 * c + d), now + dt
        result.append(np.fft.irfft(state, n))
    return np.stack(result, -1)


def burgers():
    """Initial states u0 [n, x] and solutions u [n, x, t] in one file, and a test file that goes on ten times as long."""
    random = np.random.default_rng(6)
    x = np.arange(64) / 64
    for name, count, last in (("burgers", 120, 20), ("burgers_test", 30, 20), ("burgers_long", 30, 200)):
        times = 0.02 * np.arange(last + 1)
        mean = random.uniform(-0.5, 0.5, (count, 1))
        u0 = mean + sum(random.normal(size=(count, 1)) * 0.5 / k * np.sin(2 * np.pi * (k * x + random.uniform(size=(count, 1))))
                        for k in range(1, 4))
        np.savez(f"{name}.npz", u0=u0, u=burgers_solution(u0, times), x=x, t=times)


if __name__ == "__main__":
    kinds = dict(darcy=darcy, airfoil=airfoil, waves=waves, advection=advection, floods=floods, burgers=burgers)
    for kind in sys.argv[1:] or kinds:
        kinds[kind]()
