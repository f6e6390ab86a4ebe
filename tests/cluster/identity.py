"""Model files over ranks are those of one process, byte by byte: python3 identity.py build/release/bin/nouq [--whole]"""
import itertools
import os
import sys

from cluster import Folder, bytes_of, launcher, over_ranks, require_launcher, run, tool, whole

SMALL = "--width 6 --blocks 2 --epochs 3 --batch 5 --quiet".split()
TASKS = {
    "bayesian": ["train", "--method", "bayesian", *SMALL],
    "variance": ["train", "--method", "variance", *SMALL],
    "dropout": ["train", "--method", "dropout", "--count", "3", *SMALL],
    "diverse": ["train", "--method", "diverse", "--count", "3", *SMALL],
    "ensemble": ["train", "--method", "ensemble", "--count", "4", *SMALL],
    "select": ["select", "--method", "diverse", "--count", "3", "--widths", "4,6", "--rates", "1e-3,1e-2", "--strengths",
               "0.1,1", *[word for word in SMALL if word not in ("--width", "6")]],
    "edge": ["select", "--method", "diverse", "--count", "3", "--widths", "6", "--rates", "1e-3,1e-2", "--strengths", "1",
             "--rule", "edge", *[word for word in SMALL if word not in ("--width", "6")]],
    # One network, on which ranks work together: other architectures, grids, terms that look at features, few samples.
    "ffno": ["train", "--method", "diverse", "--architecture", "ffno", "--count", "3", *SMALL],
    "features": ["train", "--method", "diverse", "--count", "3", "--diversity", "gradients", "--warmup", "0",
                 "--strength", "0.1", *SMALL],
    "line": ["train", "--method", "variance", "--modes", "5", *SMALL],
    "solid": ["train", "--method", "bayesian", "--modes", "2,2,2", *SMALL],
    "solid-ffno": ["train", "--method", "variance", "--architecture", "ffno", "--modes", "2,2,2", *SMALL],
    "few": ["train", "--method", "variance", *SMALL[:-3], "--batch", "3", "--quiet"],
}
GRIDS = {"line": (24,), "solid": (6, 5, 7), "solid-ffno": (6, 5, 7)}
# Every pair of a task with a number of ranks and of threads is somewhere in there, nearly.
DAILY = [("ensemble", 2, 1, "shared"), ("ensemble", 3, 2, "own"), ("ensemble", 7, 1, "own"), ("diverse", 2, 2, "own"),
         ("select", 4, 1, "shared"), ("select", 3, 1, "own"), ("edge", 2, 1, "own"), ("bayesian", 3, 1, "shared"),
         ("variance", 4, 1, "own"), ("dropout", 2, 2, "shared"), ("ffno", 3, 2, "shared"), ("features", 2, 1, "own"),
         ("line", 2, 1, "own"), ("solid", 3, 1, "shared"), ("solid-ffno", 2, 2, "own"), ("few", 7, 1, "shared")]


def in_own_folders(ranks, folder, words):
    """Each rank in a folder of its own: what machines without a common file system are."""
    for rank in range(ranks):
        os.makedirs(os.path.join(folder, f"rank{rank}"))
    script = 'cd rank${OMPI_COMM_WORLD_RANK:-$PMI_RANK} && exec "$@"'
    run([*launcher(ranks), "/bin/sh", "-c", script, "sh", tool, *words], folder)
    left = [name for rank in range(1, ranks) for name in os.listdir(os.path.join(folder, f"rank{rank}"))]
    assert left == [], f"other ranks left {left}"
    return os.path.join(folder, "rank0")


def data_of(task):
    """What a task learns: fields on a grid of its own, or a problem."""
    return {"problem": None, "grid": GRIDS[task], "samples": 14} if task in GRIDS else {}


def check(task, cases):
    with Folder(TASKS[task], **data_of(task)) as folder:
        for ranks, threads, kind in cases:
            name = f"{ranks}-{threads}-{kind}"
            place = os.path.join(folder.path, name)
            os.makedirs(place)
            words = [*folder.command("m.nouq"), "--threads", threads]
            if kind == "own":
                place = in_own_folders(ranks, place, words)
            else:
                over_ranks(ranks, words, place)
            assert bytes_of(place, "m.nouq") == folder.expected, f"{task}, {ranks} ranks, {threads} threads, {kind}"
            assert os.listdir(place) == ["m.nouq"], f"left behind: {os.listdir(place)}"
            print("identical:", task, name, flush=True)


def main():
    require_launcher()
    cases = DAILY
    if whole:
        cases = list(itertools.product(TASKS, (1, 2, 3, 4, 7), (1, 2), ("shared", "own")))
    for task in sorted({case[0] for case in cases}):
        check(task, [case[1:] for case in cases if case[0] == task])


if __name__ == "__main__":
    sys.exit(main())
