"""Small models of every shape that the explorer shows, made with the tool: over (x, t), of a drawn function, over a plane, and over
three axes with two parameters of one's own."""
import subprocess

import numpy as np

# name: what is generated, how it is trained.
MADE = {
    "pme": (["pme", "-n", "100", "--option", "nx=64", "--option", "nt=12"], ["--width", "12", "--epochs", "30"]),
    "step": (["advection-ic", "-n", "40", "--option", "nx=48", "--option", "nt=8"], ["--width", "8", "--epochs", "30"]),
    "plane": (["darcy-field", "-n", "60", "--option", "nx=16", "--option", "ny=16", "--range", "3:4"],
              ["--width", "8", "--epochs", "30"]),
}
# A name that would do something if it were taken for markup.
HOSTILE = "<img src=x onerror=alert(1)>"


def run(tool, *words):
    subprocess.run([tool, *map(str, words), "--quiet"], check=True, stdout=subprocess.DEVNULL)


def write_block(folder):
    """T(x, y, z) of two parameters, as runs of a solver and a table."""
    (folder / "runs").mkdir(exist_ok=True)
    x, y, z = np.linspace(0, 1, 9), np.linspace(0, 2, 8), np.linspace(0, 1, 7)
    lines = ["file,conductivity,source"]
    for i in range(24):
        k, s = 1 + i % 6 / 5, 1 + i // 6 / 3
        field = s / k * np.sin(3 * x)[:, None, None] * np.cos(y)[None, :, None] + z[None, None, :] * k
        np.savez(folder / "runs" / f"run{i}.npz", T=field, x=x, y=y, z=z)
        lines.append(f"run{i}.npz,{k},{s}")
    (folder / "runs.csv").write_text("\n".join(lines) + "\n")


def make(tool, folder):
    """The model files and the data file whose samples can be chosen; what is there already is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (problem, training) in MADE.items():
        if not (folder / f"{name}.nouq").exists():
            run(tool, "generate", *problem, "-o", folder / f"{name}.npz")
            run(tool, "train", folder / f"{name}.npz", *training, "--schedule", "one_cycle", "--rate", "0.003",
                "-o", folder / f"{name}.nouq")
    if not (folder / "block.nouq").exists():
        write_block(folder)
        run(tool, "import", folder / "runs", "--table", folder / "runs.csv", "--outputs", "T:K", "--axes", "x:m,y:m,z:m",
            "-o", folder / "block.npz")
        run(tool, "train", folder / "block.npz", "--width", "4", "--epochs", "3", "-o", folder / "block.nouq")
    (folder / f"{HOSTILE}.nouq").write_bytes((folder / "pme.nouq").read_bytes())
    models = [folder / f"{name}.nouq" for name in (*MADE, "block", HOSTILE)]
    return models, folder / "plane.npz"
