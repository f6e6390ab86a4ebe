"""The example that calibrates by UM-Bridge finds the parameter it was made with: python3 calibration.py TOOL"""
import os
import subprocess
import sys

from server import folder, run, serving, small_model

tool = os.path.abspath(sys.argv[1])
example = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/serving/calibrate.py")
with folder() as where:
    model = small_model(tool, where, "pme", "pme")
    run(tool, "generate", "pme", "-n", "1", "--grid", "16x8", "--range", "2.4:2.4", "-o", "truth.npz", cwd=where)
    with serving(tool, model) as (_, port):
        words = [sys.executable, example, "pme", f"{where}/truth.npz", "--address", f"127.0.0.1:{port}", "--prior", "2:3", "--seeds",
                 "2", "--steps", "150", "--figure", f"{where}/figure.svg"]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert "seed  1" in said and "truth 2.4" in said, said
    with open(f"{where}/figure.svg", encoding="utf-8") as figure:
        assert figure.read().startswith("<svg")
print(said)
