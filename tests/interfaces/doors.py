"""One law, five doors: the same projection through the tool, C++, C, Fortran and Python has the same bytes.

    doors.py NOUQ PROGRAM...

The second part asks a model trained on cells, with a law and bounds of its data: mean, band, score, and the projection onto
its own law, as strict as training found. Each PROGRAM is one of the other languages (doors.cpp, doors.c, doors.f90). On points, cells and periodic axes, in one and
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
    tables.append(f'[[constraint]]\nkind = "integral"\naxis = [{space}]\nvalue = "mass"\nnoise_variance = {NOISE}\n')
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
    np.savez(folder / "values.npz", **{name: arrays[name] for name in ("mass", "heat") if name in arrays})


def by_program(program, folder, *model):
    for old in folder.glob("*.out"):
        old.unlink()
    subprocess.run([program, folder, *model], check=True)
    return {path.stem: path.read_bytes() for path in folder.glob("*.out")}


def by_tool(tool, folder, kind, axes, bounds):
    words = ["project", "--axes", ",".join(f"{name}={folder}/{name}.npy" for name in axes)]
    if kind != "points":
        words += [f"--{kind}", ",".join(axes[:-1])]
    words += ["--constraint", f"integral axis={'+'.join(axes[:-1])} value=mass noise_variance={NOISE}"]
    if bounds:
        words += [f"--lower={bounds[0]}", f"--upper={bounds[1]}"]
    for name in ("mean", "std", "samples"):
        words += [f"--{name}", folder / f"{name}.npy"]
    words += ["--values", folder / "values.npz", "-o", folder / "tool.npz"]
    subprocess.run([tool, *map(str, words), "--quiet"], check=True, stdout=subprocess.DEVNULL)
    answer = np.load(folder / "tool.npz")
    return {name: answer[name].tobytes() for name in ("mean", "std", "samples")}


def by_python(grid, arrays, fields, bounds):
    law = nouq.conserve.integral(grid, [axis.name for axis in grid[:-1]], arrays["mass"], noise_variance=NOISE)
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


def own_data(random):
    """Fields u = a (1 + sin(2 pi x - t) / 2) averaged over cells of [0, 1]: their heat is a, and they are positive."""
    grid = [nouq.Axis("x", (np.arange(12) + 0.5) / 12, kind="cells"), nouq.Axis("t", np.linspace(0, 1, 6))]
    wave = np.sin(2 * np.pi * grid[0].coordinates[:, None] - grid[1].coordinates)
    a = random.uniform(0.5, 1.5, 120)
    inputs = np.broadcast_to(a[:, None, None, None], (120, 12, 6, 1))
    outputs = a[:, None, None, None] * (1 + 0.5 * wave)[None, :, :, None]
    return nouq.DataSet(inputs, outputs, grid, constraint_values={"heat": np.repeat(a[:, None], 6, axis=1)},
                        laws={"heat": (["x"], 0)}, bounds=[(0.0, np.inf)])


def own_law(tool, programs):
    data = own_data(np.random.default_rng(3))
    model = nouq.train(data, method="ensemble", count=3, width=4, modes=[3, 2], epochs=3, seed=1, progress=False)
    assert model.laws == {"heat": (["x"], 0)} and model.bounds == [(0.0, np.inf)] and model.band_coverage == 0.9
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = str(folder / "own.nouq")
        model.save(path)
        inputs, heat = data.inputs[:2].astype(float), data.constraint_values["heat"][:2]
        plain = model.predict(inputs, samples=True)
        law = nouq.conserve.law_of(model, heat=heat)
        assert law.rows == 6 and law.has_bounds and law.noise_variances[0] != 1e-9
        found = nouq.conserve.project(plain.mean, plain.std ** 2, law, samples=plain.samples, preset="bounded")
        expected = {"mean": found.mean.tobytes(), "std": np.sqrt(found.variance).tobytes(),
                    "samples": found.samples.tobytes(), "band": plain.band.tobytes(),
                    "score": plain.trust.score.tobytes()}
        write_case(folder, "", {"heat": heat}, {"mean": plain.mean, "std": plain.std, "samples": plain.samples,
                                                "inputs": inputs, "score": plain.trust.score})
        for program in programs:
            answer = by_program(program, folder, path)
            assert answer == expected, (program, [part for part in expected if answer.get(part) != expected[part]])
        np.savez(folder / "q.npz", inputs=inputs)
        ask = [tool, "predict", path, "--input", str(folder / "q.npz"), "--quiet", "-o"]
        subprocess.run(ask + [folder / "a.npz", "--values", folder / "values.npz", "--conserve", "bounded"], check=True,
                       stdout=subprocess.DEVNULL)
        # The tool has the variance, of which the others see the root: not the last bit.
        assert np.allclose(np.load(folder / "a.npz")["mean"], found.mean, rtol=0, atol=1e-12)
        subprocess.run(ask + [folder / "b.npz"], check=True, stdout=subprocess.DEVNULL)
        answer = np.load(folder / "b.npz")
        for part, numbers in (("mean", plain.mean), ("std", plain.std), ("band", plain.band),
                              ("trust_score", plain.trust.score)):
            assert answer[part].tobytes() == numbers.tobytes(), part


main(sys.argv[1], sys.argv[2:])
own_law(sys.argv[1], sys.argv[2:])
