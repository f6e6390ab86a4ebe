"""The build backend of `pip install .` (PEP 517): CMake builds the extension, a wheel is a zip with a list inside.

Why our own: the common backends must be downloaded, and a cluster's login node may have no network. With
NOUQ_BUILD_DIR in the environment, a build tree that is already there is used instead of a new one.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

root = Path(__file__).resolve().parents[3]


def _version():
    text = (root / "CMakeLists.txt").read_text()
    return re.search(r"project\(nouq VERSION ([0-9.]+)", text).group(1)


def _metadata():
    return (f"Metadata-Version: 2.1\nName: nouq\nVersion: {_version()}\n"
            "Summary: Neural operators with uncertainty quantification\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nDescription-Content-Type: text/markdown\n\n"
            + (root / "README.md").read_text())


def _tag():
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{platform}"


def _build(folder):
    """The folder with the built package."""
    existing = os.environ.get("NOUQ_BUILD_DIR")
    build = Path(existing) if existing else Path(folder) / "build"
    if not existing:
        subprocess.run(["cmake", "-S", root, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DNOUQ_TESTS=OFF",
                        "-DNOUQ_BENCH=OFF", "-DNOUQ_TOOL=OFF", f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "nouq_python", "--parallel"], check=True)
    return build / "python" / "nouq"


def _write_wheel(path, files):
    """files: name in the wheel -> bytes. The list of them, with their hashes, comes last."""
    info = f"nouq-{_version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: nouq_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n"
    files = {**files, f"{info}/METADATA": _metadata().encode(), f"{info}/WHEEL": wheel.encode()}
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
            archive.writestr(name, content)
        archive.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"nouq-{_version()}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        package = _build(folder)
        files = {f"nouq/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
        _write_wheel(Path(wheel_directory) / name, files)
    return name


def build_sdist(sdist_directory, config_settings=None):
    base = f"nouq-{_version()}"
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name in filter(None, listed.split("\0")):
            archive.add(root / name, f"{base}/{name}")
        with tempfile.NamedTemporaryFile("w") as info:
            info.write(_metadata())
            info.flush()
            archive.add(info.name, f"{base}/PKG-INFO")
    return f"{base}.tar.gz"
