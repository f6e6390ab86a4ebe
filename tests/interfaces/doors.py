"""One law, five doors: the same projection through the tool, C++, C, Fortran and Python has the same bytes.

    doors.py NOUQ PROGRAM...

Each PROGRAM is one of the other languages (doors.cpp, doors.c, doors.f90). On points, cells and periodic axes, in one and
two dimensions of space, with and without bounds; the law is an integral over space at every time.
"""
import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import nouq

NOISE = 1e-3


def coordinates(kind, low, high, points):
    """Of an axis over [low, high]; unevenly spaced where that is not periodic."""
    if kind == "periodic":
        return low + (high - low) * np.arange(points) / points
    edges = low + (high - low) * np.linspace(0, 1, points + 1) ** 1.3
    return 0.5 * (edges[1:] + edges[:-1]) if kind == "cells" else edges[:points]


def case_text(kind, axes, bounds):
    """The grid and the constraints, as C++, C and Fortran get them."""
    tables = [f'[[axis]]\nname = "{name}"\nkind = "{"points" if name == "t" else kind}"\ncoordinates = "{name}"\n'
              for name in axes]
    space = ", ".join(f'"{name}"' for name in axes[:-1])
    tables.append(f'[[constraint]]\nkind = "integral"\naxis = [{space}]\nvalue = "mass"\nslack = {NOISE}\n')
    if bounds:
        tables.append(f'[[constraint]]\nkind = "bounds"\nlower = {bounds[0]}\nupper = {bounds[1]}\n')
    return "\n".join(tables)


def write_case(folder, text, arrays, fields):
    (folder / "case.toml").write_text(text)
    (folder / "arrays").write_text("\n".join(arrays) + "\n")
    for name, array in {**arrays, **fields}.items():
        array.astype(float).tofile(folder / f"{name}.bin")
        (folder / f"{name}.shape").write_text(f"{array.ndim}\n{' '.join(map(str, array.shape))}\n")
        np.save(folder / f"{name}.npy", array)
    np.savez(folder / "values.npz", mass=arrays["mass"])


def by_program(program, folder):
    for old in folder.glob("*.out"):
        old.unlink()
    subprocess.run([program, folder], check=True)
    return {name: (folder / f"{name}.out").read_bytes() for name in ("mean", "std", "samples")}


def by_tool(tool, folder, kind, axes, bounds):
    words = ["project", "--axes", ",".join(f"{name}={folder}/{name}.npy" for name in axes)]
    if kind != "points":
        words += [f"--{kind}", ",".join(axes[:-1])]
    words += ["--constraint", f"integral axis={'+'.join(axes[:-1])} value=mass slack={NOISE}"]
    if bounds:
        words += [f"--lower={bounds[0]}", f"--upper={bounds[1]}"]
    for name in ("mean", "std", "samples"):
        words += [f"--{name}", folder / f"{name}.npy"]
    words += ["--values", folder / "values.npz", "-o", folder / "tool.npz"]
    subprocess.run([tool, *map(str, words)], check=True, stdout=subprocess.DEVNULL)
    answer = np.load(folder / "tool.npz")
    return {name: answer[name].tobytes() for name in ("mean", "std", "samples")}


def by_python(grid, arrays, fields, bounds):
    law = nouq.conserve.integral(grid, [axis.name for axis in grid[:-1]], arrays["mass"], slack=NOISE)
    lower, upper = bounds or (None, None)
    found = nouq.conserve.project(fields["mean"], fields["std"] ** 2, law, samples=fields["samples"], lower=lower,
                                  upper=upper)
    return {"mean": found.mean.tobytes(), "std": np.sqrt(found.variance).tobytes(), "samples": found.samples.tobytes()}


def main(tool, programs):
    random = np.random.default_rng(7)
    kinds, bounds = ("points", "cells", "periodic"), (None, (-0.25, 1.25))
    for kind, limits, dimensions in itertools.product(kinds, bounds, (1, 2)):
        axes = ["x", "y"][:dimensions] + ["t"]
        grid = [nouq.Axis(name, coordinates(kind, 0.0, 2.0, 7 + i), kind=kind) for i, name in enumerate(axes[:-1])]
        grid.append(nouq.Axis("t", np.linspace(0, 1, 4)))
        shape = [3] + [len(axis) for axis in grid] + [1]
        samples = random.normal(0.5, 0.4, [shape[0], 5] + shape[1:])
        fields = {"samples": samples, "mean": samples.mean(axis=1), "std": samples.std(axis=1, ddof=1)}
        arrays = {axis.name: axis.coordinates for axis in grid}
        arrays["mass"] = random.uniform(0.4, 0.6, (3, 4)) * 2.0 ** dimensions
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_case(folder, case_text(kind, axes, limits), arrays, fields)
            expected = by_tool(tool, folder, kind, axes, limits)
            assert expected["mean"] != fields["mean"].tobytes(), "nothing was projected"
            found = {"python": by_python(grid, arrays, fields, limits)}
            found.update({program: by_program(program, folder) for program in programs})
            for door, answer in found.items():
                for part, numbers in expected.items():
                    assert answer[part] == numbers, (door, part, kind, limits, dimensions)


main(sys.argv[1], sys.argv[2:])
