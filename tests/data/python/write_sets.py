"""Writes data sets as a Python user would, for the tests to load: write_sets.py FOLDER npz|hdf5."""
import sys
from pathlib import Path

import numpy as np

n, nx, nt = 3, 5, 4
inputs = (np.arange(n * nx * nt * 2, dtype=np.float32) / 7).reshape(n, nx, nt, 2)
outputs = (np.arange(n * nx * nt, dtype=np.float32) / 3).reshape(n, nx, nt, 1)
x = np.linspace(0, 1, nx)
t = np.linspace(0, 0.5, nt)
parameters = np.arange(n)
mass = np.outer(np.arange(1, n + 1), t)


def write_npz(folder):
    arrays = dict(
        inputs=inputs, outputs=outputs, axis0=x, axis1=t,
        axes=np.array([["x", "m", "periodic"], ["t", "s", ""]]),
        input_channels=np.array([["k", "m²"], ["u0", "K"]]), output_channels=np.array(["u"]),
        parameters=parameters, parameter_names=np.array(["m"]), constraint_mass=mass,
        provenance=np.array([["author", "numpy δ"]]),
    )
    np.savez(folder / "plain.npz", **arrays)
    np.savez_compressed(folder / "compressed.npz", **arrays)
    arrays.update(inputs=np.asfortranarray(inputs.astype(">f4")), outputs=np.asfortranarray(outputs),
                  axis0=x.astype(">f8"), axes=arrays["axes"].astype(">U8"))
    np.savez(folder / "fortran_big_endian.npz", **arrays)
    arrays.update(inputs=inputs.astype(np.float64), outputs=outputs.astype(np.float64))
    np.savez(folder / "float64.npz", **arrays)
    arrays.update(inputs=np.array([{"a": 1}], dtype=object))
    np.savez(folder / "pickle.npz", **arrays)


def fill_hdf5(file, **options):
    field = file.create_dataset("inputs", data=inputs, **options)
    field.attrs["names"] = ["k", "u0"]
    field.attrs["units"] = ["m²", "K"]
    field = file.create_dataset("outputs", data=outputs, **options)
    field.attrs["names"] = np.array(["u"], dtype="S")
    axis = file.create_dataset("axis0", data=x)
    axis.attrs["name"], axis.attrs["unit"], axis.attrs["periodic"] = "x", "m", True
    axis = file.create_dataset("axis1", data=t)
    axis.attrs["name"], axis.attrs["unit"] = "t", "s"
    file["parameters"] = parameters
    file["parameters"].attrs["names"] = ["m"]
    file["constraints/mass"] = mass
    file.create_group("provenance").attrs["author"] = "numpy δ"


def write_hdf5(folder):
    import h5py

    for name, options in dict(plain={}, gzip=dict(compression="gzip", shuffle=True), lzf=dict(compression="lzf")).items():
        with h5py.File(folder / f"{name}.h5", "w") as file:
            fill_hdf5(file, **options)
    with h5py.File(folder / "latest.h5", "w", libver="latest") as file:
        fill_hdf5(file, chunks=True, fletcher32=True)
    # PDEBench, one group per sample: LZF as its scripts write it, with values that compress and values that do not.
    noise = np.random.default_rng(1).normal(size=(4, 32, 32, 2)).astype(np.float32)
    with h5py.File(folder / "pdebench_groups.h5", "w") as file:
        for i in range(3):
            data = noise if i == 1 else np.full_like(noise, i)
            file.create_dataset(f"{i:04d}/data", data=data, dtype="float32", compression="lzf")
            for axis, points in dict(x=32, y=32, t=4).items():
                file.create_dataset(f"{i:04d}/grid/{axis}", data=np.linspace(0, 1, points), dtype="float32", compression="lzf")
            file[f"{i:04d}"].attrs["config"] = "seed: %d\n" % i
    noise.tofile(folder / "noise.bin")


if __name__ == "__main__":
    {"npz": write_npz, "hdf5": write_hdf5}[sys.argv[2]](Path(sys.argv[1]))
