"""The commands that faults are tried on, each on the smallest case there is, and the files they begin with."""
import dataclasses
import json
import random
import shutil
import struct
import subprocess
import sys
from pathlib import Path

SMALL = "--width 2 --modes 2,2 --count 2 --blocks 1 --epochs 2 --batch 4 --threads 1".split()


@dataclasses.dataclass(frozen=True)
class Command:
    """What is run, in a folder with copies of `inputs`. `outputs` are the files it is to leave behind; an old one stands
    there before, unless the command adds to it."""

    name: str
    words: tuple
    inputs: tuple = ()
    outputs: tuple = ()
    keeps: bool = False  # what stands in the outputs is used, so nothing may stand there before
    armed: bool = False  # counts only what it says itself (nouq_faults_arm)
    slow: bool = False


def commands(tools):
    nouq, c_calls, python = tools["nouq"], tools["c_calls"], tools["python"]

    def tool(name, words, inputs=(), outputs=(), **more):
        return Command(name, (nouq, *words.split()), tuple(inputs), tuple(outputs), **more)

    reproduce = ("reproduce --preset smoke --problems heat --methods bayesian --seeds 0 --epochs 1 --samples 25 --test-samples 2 "
                 "--widths 2 --count 2 --threads 1 --results results -q")
    small = " ".join(SMALL)
    found = [
        tool("methods", "methods"),
        tool("generate", "generate pme --grid 8x4 -n 12 --seed 1 --threads 1 -o out.npz -q", (), ["out.npz"]),
        tool("generate_hdf5", "generate pme --grid 8x4 -n 12 --seed 1 --threads 1 -o out.h5 -q", (), ["out.h5"]),
        tool("import", "import runs --table runs.csv --parameters k --axes x,t --coordinates x=0:1,t=0:1 -o out.npz -q",
             ["runs", "runs.csv"], ["out.npz"]),
        tool("info_data", "info d.npz", ["d.npz"]),
        tool("info_hdf5", "info d.h5", ["d.h5"]),
        tool("info_model", "info m.nouq", ["m.nouq"]),
        tool("train", f"train d.npz {small} -o out.nouq -q", ["d.npz"], ["out.nouq"]),
        tool("train_settings", "train d.h5 --config c.toml -o out.nouq -q", ["d.h5", "c.toml"], ["out.nouq"]),
        tool("ensemble", f"train d.npz {small} --method ensemble -o out.nouq -q", ["d.npz"], ["out.nouq"]),
        tool("select", f"select d.npz --widths 2 --rates 1e-3,3e-3 --strengths 0.1 --modes 2,2 --count 2 --blocks 1 --epochs 1 "
             "--batch 4 --threads 1 -o out.nouq --table out.json -q", ["d.npz"], ["out.nouq", "out.json"]),
        tool("evaluate", "evaluate m.nouq --data d.npz --threads 1 -o out.txt -q", ["m.nouq", "d.npz"], ["out.txt"]),
        tool("evaluate_problem", "evaluate m.nouq -n 2 --shift small --threads 1 --json -q", ["m.nouq"]),
        tool("predict", "predict m.nouq --input d.npz --threads 1 -o out.npz -q", ["m.nouq", "d.npz"], ["out.npz"]),
        tool("predict_hdf5", "predict m.nouq --input d.h5 --threads 1 -o out.h5 --samples -q", ["m.nouq", "d.h5"],
             ["out.h5"]),
        tool("predict_figure", "predict m.nouq --param m=2.5 --conserve bounded --threads 1 --figure out.svg --plot -q",
             ["m.nouq"], ["out.svg"]),
        tool("project", "project --mean p.npz:mean --std p.npz:std --data d.npz --lower 0 --threads 1 -o out.npz -q", ["p.npz", "d.npz"],
             ["out.npz"]),
        tool("project_file", "project --mean p.npz:mean --std p.npz:std --axes x=0:1,t=0:1 --constraints law.toml --threads 1 -o out.h5 -q",
             ["p.npz", "law.toml"], ["out.h5"]),
        tool("score", "score --mean p.npz:mean --std p.npz:std --data d.npz --json -q", ["p.npz", "d.npz"]),
        tool("report", "report m.nouq -n 2 --threads 1 -o out.html -q", ["m.nouq"], ["out.html"]),
        tool("dakota", "dakota m.nouq params.json out.json --function u=mean:x=0.5;t=0.5", ["m.nouq", "params.json"],
             ["out.json"]),
        tool("reproduce", reproduce, (), ["results/*.json"], keeps=True, slow=True),
        Command("c_calls", (c_calls,), ("m.nouq", "d.npz"), ("out.npz", "out.nouq")),
    ]
    if python:
        found.append(Command("python_calls", (*python, str(Path(__file__).parent / "python_calls.py")), ("m.nouq", "d.npz"),
                             ("out.npz", "out.nouq"), armed=True, slow=True))
    return found


def npy(shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values)


def write_inputs(nouq, folder):
    """All files that commands begin with, once for all cases."""

    def run(words):
        done = subprocess.run([nouq, *words.split()], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"faults: the inputs cannot be made: {words}: {done.stderr}")

    shutil.rmtree(folder, ignore_errors=True)
    (folder / "runs").mkdir(parents=True)
    run("generate pme --grid 8x4 -n 12 --seed 1 --threads 1 -o d.npz")
    run("generate pme --grid 8x4 -n 12 --seed 1 --threads 1 -o d.h5")
    run(f"train d.npz {' '.join(SMALL)} -o m.nouq")
    run("predict m.nouq --input d.npz --threads 1 -o p.npz")
    pick = random.Random(0)
    for i in range(10):
        (folder / "runs" / f"r{i}.npy").write_bytes(npy((8, 4), [pick.random() for _ in range(32)]))
    rows = "".join(f"r{i}.npy,{1 + i / 10}\n" for i in range(10))
    (folder / "runs.csv").write_text("file,k\n" + rows)
    (folder / "law.toml").write_text("[[constraint]]\nkind = 'integral'\naxis = 'x'\nvalue = 0.5\n")
    (folder / "c.toml").write_text("[train]\nwidth = 2\nmodes = [2, 2]\ncount = 2\nblocks = 1\nepochs = 2\nbatch = 4\n"
                                   "threads = 1\n")
    (folder / "params.json").write_text(json.dumps({"variables": [{"label": "m", "value": 2.5}]}))
