"""Stopping and going on, parts of an array, words about wrong launchers: python3 jobs.py build/release/bin/nouq"""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import time

from cluster import Folder, bytes_of, environment, launcher, mpi, over_ranks, run, start, tool, wait_until, workers

ENSEMBLE = ["train", "--method", "ensemble", "--count", "5", "--width", "6", "--blocks", "2", "--epochs", "20", "--batch", "5",
            "--threads", "1"]
SELECT = ["select", "--method", "diverse", "--count", "2", "--widths", "4,6", "--rates", "1e-3,1e-2", "--strengths", "0.1,1",
          "--blocks", "2", "--epochs", "4", "--batch", "5", "--threads", "1"]
# Hours, until a signal comes.
LONG = ["train", "--method", "ensemble", "--count", "3", "--width", "8", "--epochs", "300000", "--batch", "2", "--threads", "1"]


def checkpoints(folder, model):
    return glob.glob(os.path.join(folder, model + ".training", "*.training"))


def times(folder, model):
    """When each checkpoint was written; one that is just being replaced is left out."""
    found = {}
    for path in checkpoints(folder, model):
        try:
            found[path] = os.stat(path).st_mtime_ns
        except FileNotFoundError:
            pass
    return found


def await_progress(job, folder, model, before):
    """Until the job has written a checkpoint, or is over."""
    def written():
        return any(before.get(path) != when for path, when in times(folder, model).items())
    wait_until(lambda: job.poll() is not None or written(), 120, "a checkpoint")


def stops_with(words, folder, model, stop, code):
    """Starts it, stops it once there is a checkpoint, and returns what it said."""
    before = times(folder, model)
    job = start(words, folder)
    try:
        await_progress(job, folder, model, before)
        assert job.poll() is None, job.stderr.read()
        stop(job)
        said = job.communicate(timeout=60)[1]
        assert job.returncode == code, f"exit code {job.returncode}, expected {code}: {said}"
        wait_until(lambda: not workers(folder), 10, "the end of all ranks")
        return said
    finally:
        if job.poll() is None:
            job.kill()


def limits(folder):
    """A limited time, with and without a launcher: 75, and the checkpoints stay."""
    words = [tool, *folder.command("long.nouq")]
    said = stops_with([*words, "--time-limit", "2s"], folder.path, "long.nouq", lambda job: None, 75)
    assert "stopped; the checkpoints are in long.nouq.training" in said, said
    limited = [*words, "--time-limit", "12h"]
    for number, code in ((signal.SIGUSR1, 75), (signal.SIGTERM, 75), (signal.SIGINT, 130)):
        stops_with(limited, folder.path, "long.nouq", lambda job, n=number: job.send_signal(n), code)
    # At a terminal, so to speak: no limit and no launcher.
    stops_with(words, folder.path, "long.nouq", lambda job: job.send_signal(signal.SIGTERM), 130)
    bad = run([*words, "--time-limit", "soon"], folder.path, code=2).stderr
    assert "--time-limit = 'soon': expected a time as in 90s, 45m, 12h or 11:50:00" in bad, bad


def limits_over_ranks(folder):
    words = [*launcher(2), tool, *folder.command("ranks.nouq")]
    stops_with([*words, "--time-limit", "3s"], folder.path, "ranks.nouq", lambda job: None, 75)
    said = stops_with(words, folder.path, "ranks.nouq", lambda job: job.send_signal(signal.SIGUSR1), 75)
    assert said.count("stopped; the checkpoints are in") == 1, "rank 0 alone says so: " + said
    assert re.search(r"2 ranks on 1 machine, cores for \d+ threads? each", said), said


def going_on():
    """Stopped three times, with another number of ranks each time."""
    with Folder([*ENSEMBLE, "--quiet"]) as folder:
        for ranks in (2, 1, 3):
            words = [*launcher(ranks), tool, *folder.command("m.nouq"), "--time-limit", "12h"]
            before = times(folder.path, "m.nouq")
            job = start(words, folder.path)
            await_progress(job, folder.path, "m.nouq", before)
            job.send_signal(signal.SIGUSR1)
            job.communicate(timeout=60)
            assert job.returncode in (0, 75), job.returncode
            if job.returncode == 0:
                break
        else:
            over_ranks(2, folder.command("m.nouq"), folder.path)
        assert bytes_of(folder.path, "m.nouq") == folder.expected


def parts(task):
    """Each part leaves its networks, the plain command the model."""
    with Folder([*task, "--quiet"]) as folder:
        words = folder.command("m.nouq")
        before = 0
        for index in range(3):
            said = run([tool, *words, "--part", f"{index}/3"], folder.path).stderr
            assert f"part {index}/3 is done" in said, said
            assert not os.path.exists(os.path.join(folder.path, "m.nouq"))
            after = len(checkpoints(folder.path, "m.nouq"))
            assert after >= before
            before = after
        run([tool, *words], folder.path)
        assert bytes_of(folder.path, "m.nouq") == folder.expected
        bad = run([tool, *words, "--part", "3/3"], folder.path, code=2).stderr
        assert "--part = '3/3': expected I/N with I from 0 to N - 1, as in 0/8" in bad, bad


def study():
    """A study over ranks, and in parts, has the results of one process, but for the times."""
    words = ["reproduce", "--preset", "smoke", "--problems", "heat", "--methods", "variance,ensemble,diverse", "--quiet"]
    with Folder([*ENSEMBLE, "--quiet"]) as folder:
        run([tool, *words, "--results", "one"], folder.path)
        if "none" not in mpi():
            over_ranks(3, [*words, "--results", "ranks"], folder.path)
        for index in range(2):
            run([tool, *words, "--results", "parts", "--part", f"{index}/2"], folder.path)
        run([tool, *words, "--results", "parts"], folder.path)
        for store in ("ranks", "parts"):
            if os.path.isdir(os.path.join(folder.path, store)):
                assert results(folder.path, store) == results(folder.path, "one"), store


def samples():
    """A data set over ranks is the file of one process."""
    if "none" in mpi():
        return
    with Folder([], samples=2) as folder:
        for problem, ending, count in (("heat", "h5", 37), ("darcy", "npz", 5)):
            words = ["generate", problem, "-n", count, "--seed", 3, "-o"]
            run([tool, *words, "one." + ending], folder.path)
            over_ranks(3, [*words, "three." + ending], folder.path)
            assert bytes_of(folder.path, "one." + ending) == bytes_of(folder.path, "three." + ending), problem


def results(folder, store):
    found = {}
    for path in glob.glob(os.path.join(folder, store, "*.json")):
        text = bytes_of(path).decode()
        found[os.path.basename(path)] = without_times(json.loads(text))
    assert len(found) == 3, found.keys()
    return found


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key not in ("seconds", "machine")}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def refusals(folder):
    """Several processes that do not know of each other would write one file."""
    def said(**more):
        done = subprocess.run([tool, *folder.command("x.nouq")], cwd=folder.path, env=dict(environment(), **more),
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 2, done
        return done.stderr
    assert "SLURM_STEP_NUM_TASKS = 4: srun started 4 processes" in said(SLURM_STEP_NUM_TASKS="4")


def errors_over_ranks(folder):
    """What is wrong on all ranks is said once; what other commands do, rank 0 does."""
    wrong = over_ranks(3, ["train", "nowhere.npz", "-o", "m.nouq"], folder.path, code=2).stderr
    assert wrong.count("nouq: cannot open nowhere.npz") == 1, wrong
    version = over_ranks(3, ["--version"], folder.path).stdout
    assert version.count("nouq ") == 1, version
    over_ranks(3, ["info", folder.data()], folder.path)
    both = over_ranks(2, [*folder.command("m.nouq"), "--part", "0/2"], folder.path, code=2).stderr
    assert "2 ranks share the networks by themselves" in both, both


def idle():
    """A rank without work (a batch of one sample is not shared) waits without using its core."""
    with Folder([*ENSEMBLE, "--quiet"]) as folder:
        words = ["train", folder.data(), "--method", "variance", "--width", "8", "--batch", "1", "--epochs", "300000", "-o", "long.nouq",
                 "--threads", "1", "--quiet"]
        job = start([*launcher(2), tool, *words], folder.path)
        try:
            wait_until(lambda: checkpoints(folder.path, "long.nouq"), 120, "a checkpoint")
            ranks = workers(folder.path)
            before = {one: cpu_seconds(one) for one in ranks}
            time.sleep(4)
            used = sorted(cpu_seconds(one) - before[one] for one in ranks)
            assert used[0] < 0.05 * 4, f"the idle rank used {used[0]} s of 4"
            print(f"idle: {used[0] / 4:.3f} of a core", flush=True)
        finally:
            job.send_signal(signal.SIGTERM)
            job.communicate(timeout=60)


def cpu_seconds(process):
    fields = bytes_of(f"/proc/{process}/stat").decode().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def libraries_free_of_mpi():
    """libnouq and what is made of it stay free of MPI."""
    build = os.path.dirname(os.path.dirname(tool))
    found = glob.glob(os.path.join(build, "src", "libnouq.so")) + glob.glob(os.path.join(build, "python", "nouq", "*.so"))
    assert found, "no library in " + build
    for library in found:
        needed = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
        assert "NEEDED" in needed and not re.search(r"lib(mpi|mpich|open-rte|open-pal)", needed), needed


def main():
    libraries_free_of_mpi()
    for task in (ENSEMBLE, SELECT):
        parts(task)
    study()
    samples()
    with Folder(ENSEMBLE) as folder:
        folder.words = LONG
        limits(folder)
        refusals(folder)
        if "none" in mpi():
            return
        limits_over_ranks(folder)
        errors_over_ranks(folder)
    going_on()
    idle()


if __name__ == "__main__":
    sys.exit(main())
