"""Reads what nouq wrote and compares it, bit for bit, with raw dumps: check_sets.py FOLDER npz|hdf5."""
import sys
from pathlib import Path

import numpy as np


def same(array, dump, dtype, shape):
    assert array.dtype == np.dtype(dtype), (array.dtype, dtype)
    assert array.shape == shape, (array.shape, shape)
    assert np.ascontiguousarray(array).tobytes() == dump.read_bytes(), dump.name


def check_npz(folder):
    for name in ("stored.npz", "deflated.npz"):
        with np.load(folder / name, allow_pickle=False) as file:
            same(file["inputs"], folder / "inputs.bin", "<f4", (6, 5, 4, 2))
            same(file["outputs"], folder / "outputs.bin", "<f4", (6, 5, 4, 1))
            same(file["parameters"], folder / "parameters.bin", "<f8", (6, 1))
            same(file["constraint_mass"], folder / "mass.bin", "<f8", (6, 4))
            assert str(file["format"]) == "nouq-data 1"
            assert file["axes"].tolist() == [["x", "m", "periodic"], ["t", "s", ""]]
            assert file["input_channels"].tolist() == [["permeability", "m^2"], ["initial value", ""]]
            assert np.array_equal(file["axis0"], np.linspace(0, 1, 5))
            assert dict(file["provenance"].tolist())["note"] == 'δ "quoted"\nsecond line'
    import zipfile

    assert zipfile.ZipFile(folder / "zip64.zip").testzip() is None
    assert zipfile.ZipFile(folder / "zip64.zip").read("a") == b"hello"


def check_hdf5(folder):
    import h5py

    with h5py.File(folder / "set.h5", "r") as file:
        same(file["inputs"][...], folder / "inputs.bin", "<f4", (6, 5, 4, 2))
        same(file["outputs"][...], folder / "outputs.bin", "<f4", (6, 5, 4, 1))
        same(file["parameters"][...], folder / "parameters.bin", "<f8", (6, 1))
        same(file["constraints/mass"][...], folder / "mass.bin", "<f8", (6, 4))
        text = lambda value: value.decode() if isinstance(value, bytes) else str(value)
        assert text(file.attrs["format"]) == "nouq-data" and file.attrs["version"] == 1
        assert [text(name) for name in file["inputs"].attrs["names"]] == ["permeability", "initial value"]
        assert [text(unit) for unit in file["inputs"].attrs["units"]] == ["m^2", ""]
        assert text(file["axis0"].attrs["name"]) == "x" and file["axis0"].attrs["periodic"] == 1
        assert text(file["provenance"].attrs["note"]) == 'δ "quoted"\nsecond line'


if __name__ == "__main__":
    {"npz": check_npz, "hdf5": check_hdf5}[sys.argv[2]](Path(sys.argv[1]))
