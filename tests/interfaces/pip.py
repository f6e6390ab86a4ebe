"""`pip install .` works without a network, from a build tree that is there already.

    pip.py SOURCE BUILD
"""
import os
import subprocess
import sys
import tempfile

source, build = sys.argv[1:3]
if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
    print("no pip here")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    environment = {**os.environ, "NOUQ_BUILD_DIR": build, "PIP_NO_INDEX": "1", "PYTHONPATH": ""}
    subprocess.run([sys.executable, "-m", "pip", "install", "--no-deps", "--no-cache-dir", "--disable-pip-version-check",
                    "--root-user-action=ignore", "--target", folder, source], check=True, env=environment)
    subprocess.run([sys.executable, "-c", "import nouq; print(nouq.__file__, nouq.__version__, nouq.methods())"],
                   check=True, cwd=folder, env=environment)
