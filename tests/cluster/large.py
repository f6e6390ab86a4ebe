"""Data larger than memory: the same bytes as in memory, and little memory that must stay:
python3 large.py build/release/bin/nouq [--whole]

With --whole, as root and where a control group can be made, under a limit of a quarter of the data, with times."""
import os
import subprocess
import sys
import time

from cluster import Folder, bytes_of, environment, run, tool, whole

SMALL = "--method variance --width 4 --blocks 2 --modes 4,4 --epochs 1 --batch 20 --threads 2 --quiet".split()
SAMPLES = 100000 if whole else 6000
GROUPS = {"/sys/fs/cgroup/memory/nouq-large-test": "memory.limit_in_bytes", "/sys/fs/cgroup/nouq-large-test": "memory.max"}


class Peak:
    """Runs a command and looks at its anonymous memory, in MB, while it runs."""

    def __init__(self, words, folder, memory=None, group=None):
        own = environment()
        if memory is not None:
            own["NOUQ_MEMORY"] = str(memory)
        begin = time.monotonic()
        join = None if group is None else lambda: open(os.path.join(group, "cgroup.procs"), "w").write(str(os.getpid()))
        job = subprocess.Popen([str(word) for word in words], cwd=folder, env=own, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, preexec_fn=join)
        self.anonymous = 0.0
        while job.poll() is None:
            self.anonymous = max(self.anonymous, anonymous_of(job.pid))
            time.sleep(0.02)
        self.seconds = time.monotonic() - begin
        said = job.stderr.read()
        assert job.returncode == 0, f"{words}: exit code {job.returncode}: {said}"


def anonymous_of(process):
    try:
        with open(f"/proc/{process}/status", encoding="utf-8") as file:
            for line in file:
                if line.startswith("RssAnon:"):
                    return float(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def make_group(megabytes):
    """A control group with that limit, or nothing."""
    for group, limit in GROUPS.items():
        if not os.path.isfile(os.path.join(os.path.dirname(group), "cgroup.procs")):
            continue
        try:
            os.makedirs(group, exist_ok=True)
            with open(os.path.join(group, limit), "w", encoding="utf-8") as file:
                file.write(str(int(megabytes * 2 ** 20)))
            return group
        except OSError as error:
            print("no control group can be made:", error)
    return None


def steps(folder, name):
    return {"train": [tool, "train", "d.h5", *SMALL, "-o", name + ".nouq"],
            "evaluate": [tool, "evaluate", name + ".nouq", "--data", "d.h5", "--quiet"],
            "predict": [tool, "predict", name + ".nouq", "--input", "d.h5", "-o", name + ".npz"]}


def main():
    with Folder([], samples=2, problem="heat") as folder:
        run([tool, "generate", "heat", "--grid", "32x16", "-n", SAMPLES, "-o", "d.h5"], folder.path)
        size = os.path.getsize(os.path.join(folder.path, "d.h5")) / 2 ** 20
        group = make_group(size / 4) if whole else None
        for step in ("train", "evaluate", "predict"):
            free = Peak(steps(folder.path, "a")[step], folder.path, memory=1000000)
            tight = Peak(steps(folder.path, "b")[step], folder.path, memory=max(1, int(size / 4)), group=group)
            print(f"{step}: {size:.0f} MB of data; in memory {free.seconds:.1f} s, anonymous {free.anonymous:.0f} MB; "
                  f"with a quarter {tight.seconds:.1f} s, anonymous {tight.anonymous:.0f} MB", flush=True)
            assert tight.anonymous < free.anonymous or size < 100, "arrays stay in memory"
        for name in (".nouq", ".npz"):
            assert bytes_of(folder.path, "a" + name) == bytes_of(folder.path, "b" + name), name


if __name__ == "__main__":
    sys.exit(main())
