"""A Slurm cluster of two virtual nodes on this machine: a batch job over ranks, an array of parts, a time limit that requeues,
a node that dies: python3 slurm.py build/release/bin/nouq"""
import os
import shutil
import signal
import subprocess
import sys
import time

from cluster import Folder, bytes_of, environment, mpi, run, skip, tool, wait_until, workers

HERE = os.path.dirname(os.path.abspath(__file__))
TASK = ["train", "--method", "ensemble", "--count", "6", "--width", "8", "--blocks", "2", "--batch", "2", "--threads", "1", "--quiet",
        "--epochs", "30"]
# Long enough to be met at work by a signal, on any machine.
LONG = [*TASK[:-1], "600"]
# Two nodes that are one machine: Open MPI is to take the one network that both have.
LOOPBACK = "export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo"


class Slurm:
    """Up while it lives."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "slurm")

    def __enter__(self):
        os.chmod(os.path.dirname(self.folder), 0o755)
        up = subprocess.run([os.path.join(HERE, "slurm_up.sh"), self.folder, "2", "2"], capture_output=True, text=True)
        if up.returncode != 0:
            log = subprocess.run(f"tail -n 3 {self.folder}/log/*", shell=True, capture_output=True, text=True).stdout
            self.__exit__()
            skip("no Slurm cluster could be started here: " + up.stderr + log)
        os.environ["SLURM_CONF"] = os.path.join(self.folder, "slurm.conf")
        return self

    def __exit__(self, *_):
        subprocess.run([os.path.join(HERE, "slurm_down.sh"), self.folder], capture_output=True)

    def submit(self, place, script, *options):
        """The number of the job."""
        path = os.path.join(place, "job.sh")
        with open(path, "w") as file:
            file.write(f"#!/bin/bash\n{LOOPBACK}\n{script}\n")
        words = ["sbatch", "--parsable", "-D", place, "-o", os.path.join(place, "%x-%j.log"), "--open-mode=append",
                 *options, path]
        return run(words, place).stdout.strip()

    def state(self, job):
        return run(["squeue", "-h", "-a", "-j", job, "-t", "all", "-o", "%T"], self.folder).stdout.split()

    def finish(self, job, place, seconds=300):
        def over():
            states = self.state(job)
            return bool(states) and all(one in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL") for one in states)
        wait_until(over, seconds, "job " + job)
        states = self.state(job)
        assert all(one == "COMPLETED" for one in states), f"{states}\n{logs(place)}"


def logs(place):
    return "".join(bytes_of(place, name).decode() for name in sorted(os.listdir(place)) if name.endswith(".log"))


def srun(ranks):
    flavour = "pmix" if mpi().startswith("Open MPI") else "pmi2"
    return f"srun --mpi={flavour} --kill-on-bad-exit=1 -n {ranks}"


def command(folder):
    return " ".join([tool, *folder.command("m.nouq")])


def place_in(folder, name):
    place = os.path.join(folder.path, name)
    os.makedirs(place)
    return place


def over_ranks(slurm, folder):
    place = place_in(folder, "ranks")
    job = slurm.submit(place, f"{srun(4)} {command(folder)}", "-N", "2", "-n", "4")
    slurm.finish(job, place)
    assert bytes_of(place, "m.nouq") == folder.expected


def array(slurm, folder):
    place = place_in(folder, "array")
    parts = slurm.submit(place, f"{command(folder)} --part $SLURM_ARRAY_TASK_ID/4", "-n", "1", "--array=0-3")
    last = slurm.submit(place, command(folder), "-n", "1", f"--dependency=afterok:{parts}")
    slurm.finish(parts, place)
    slurm.finish(last, place)
    assert bytes_of(place, "m.nouq") == folder.expected


def signalled(slurm, folder):
    """What a time limit does: USR1 to the step, 75, requeue; here the signal comes by hand, to save a minute."""
    place = place_in(folder, "requeue")
    script = "\n".join([f"{srun(2)} {command(folder)} & step=$!", "trap 'kill -USR1 $step' USR1",
                        "wait $step; code=$?; [ $code -lt 128 ] || { wait $step; code=$?; }",
                        'echo "code $code"', "[ $code = 75 ] && scontrol requeue $SLURM_JOB_ID", "exit $code"])
    job = slurm.submit(place, script, "-n", "2", "--requeue")
    wait_until(lambda: os.path.isdir(os.path.join(place, "m.nouq.training")) or "COMPLETED" in slurm.state(job), 120,
               "checkpoints")
    time.sleep(1)
    run(["scancel", "--batch", "--signal=USR1", job], place)
    slurm.finish(job, place)
    assert "code 75" in logs(place), logs(place)
    assert bytes_of(place, "m.nouq") == folder.expected


def node_dies(slurm, folder):
    """The ranks of a job are killed, the job is requeued and goes on."""
    place = place_in(folder, "killed")
    job = slurm.submit(place, f"{srun(2)} {command(folder)}", "-n", "2", "--requeue")
    wait_until(lambda: os.path.isdir(os.path.join(place, "m.nouq.training")) or "COMPLETED" in slurm.state(job), 120,
               "checkpoints")
    for process in workers(place):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    wait_until(lambda: not workers(place), 30, "the end of the ranks")
    wait_until(lambda: "RUNNING" not in slurm.state(job), 60, "the end of the job")
    run(["scontrol", "requeue", job], place)
    slurm.finish(job, place)
    assert bytes_of(place, "m.nouq") == folder.expected


def strangers(slurm, folder):
    """srun without MPI starts processes that do not know of each other: refused, nothing is written."""
    place = place_in(folder, "strangers")
    done = subprocess.run(["srun", "--mpi=none", "-n", "2", tool, *folder.command("m.nouq")], cwd=place,
                          capture_output=True, text=True, env=environment(), timeout=120)
    assert done.returncode != 0 and "do not know of each other" in done.stderr, done
    assert os.listdir(place) == []


def main():
    if os.geteuid() != 0:
        skip("starting Slurm's daemons takes root")
    for program in ("slurmctld", "slurmd", "munged", "sbatch"):
        if not shutil.which(program):
            skip(f"{program} is missing (packages of [cluster] in cmake/packages.txt)")
    if "none" in mpi():
        skip("this nouq was built without MPI")
    with Folder(TASK) as short, Folder(LONG) as long, Slurm(short.path) as slurm:
        os.chmod(long.path, 0o755)
        for case, folder in ((over_ranks, short), (array, short), (signalled, long), (node_dies, long), (strangers, short)):
            case(slurm, folder)
            print("fine:", case.__name__, flush=True)


if __name__ == "__main__":
    sys.exit(main())
