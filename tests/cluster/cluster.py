"""What the tests of many ranks share: a small task, the tool under the launcher of its MPI, processes that may be left."""
import math
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

SKIPPED = 77  # the test's exit code where something it needs is missing

tool = os.path.abspath(sys.argv[1])
whole = "--whole" in sys.argv  # everything, not the selection for every day


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


def mpi():
    """"Open MPI", "MPICH" or "none": what the tool was built with."""
    text = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    return text[text.index("MPI: ") + 5:].strip().rstrip(")").rsplit(" ", 1)[0].strip() or "none"


def launcher(ranks):
    if mpi().startswith("Open MPI"):
        options = "--allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 --mca btl self,vader,tcp"
        options += " --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo"
        return [shutil.which("mpirun.openmpi") or "mpirun", *options.split(), "-n", str(ranks)]
    return [shutil.which("mpiexec.mpich") or "mpiexec", "-n", str(ranks)]


def require_launcher():
    if "none" in mpi():
        skip("this nouq was built without MPI")
    if not (shutil.which(launcher(1)[0])):
        skip("the launcher of " + mpi() + " is missing")


def environment():
    """Waiting threads must not spin: the cores are shared."""
    own = dict(os.environ, OMP_WAIT_POLICY="passive")
    own.pop("OMP_NUM_THREADS", None)
    return own


def run(words, folder, code=0, timeout=300):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=timeout,
                          env=environment())
    assert done.returncode == code, f"{words}: exit code {done.returncode}, expected {code}\n{done.stdout}{done.stderr}"
    return done


def over_ranks(ranks, words, folder, **more):
    return run([*launcher(ranks), tool, *words], folder, **more)


def start(words, folder):
    return subprocess.Popen([str(word) for word in words], cwd=folder, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, env=environment())


def workers(folder):
    """The processes of the tool that work in the folder or below it, by their working directory."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            place = os.readlink(f"/proc/{name}/cwd")
            program = os.readlink(f"/proc/{name}/exe")
        except OSError:
            continue
        if program == os.path.realpath(tool) and (place + "/").startswith(os.path.realpath(folder) + "/"):
            found.append(int(name))
    return sorted(found)


def wait_until(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.02)


def rank_of(process):
    """The rank of a worker by the environment that it was started with."""
    with open(f"/proc/{process}/environ", "rb") as file:
        for entry in file.read().split(b"\0"):
            name, _, value = entry.partition(b"=")
            if name in (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK", b"PMIX_RANK"):
                return int(value)
    return -1


def bytes_of(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def write_fields(path, grid, samples):
    """Smooth fields on a grid of any number of axes, as an NPZ file."""
    points = math.prod(grid)
    count = samples * points
    def waves(factor):
        return [math.sin(0.1 + factor * (i % points) * (1 + i // points) / count) for i in range(count)]
    with zipfile.ZipFile(path, "w") as file:
        for name, values in (("inputs", waves(7.0)), ("outputs", [1.5 + value for value in waves(5.0)])):
            shape = (samples, *grid, 1)
            header = str({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
            header += b" " * (-(len(header) + 11) % 64) + b"\n"
            start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
            file.writestr(name + ".npy", start + header + struct.pack(f"<{count}f", *values))


class Folder:
    """Data, and the model that one process makes of them. Without a problem: fields on a grid of any number of axes."""

    def __init__(self, words, problem="heat", grid="16x8", samples=14):
        self.path = tempfile.mkdtemp(prefix="nouq-cluster-")
        self.words = words
        self.make_data(problem, grid, samples)
        if not words:
            return
        run([tool, *self.command("one.nouq")], self.path)
        self.expected = bytes_of(self.path, "one.nouq")

    def make_data(self, problem, grid, samples):
        if problem is None:
            return write_fields(os.path.join(self.path, "d.npz"), grid, samples)
        run([tool, "generate", problem, "--grid", grid, "-n", samples, "-o", "d.npz"], self.path)

    def command(self, model):
        return [*self.words[:1], self.data(), *self.words[1:], "-o", model]

    def data(self):
        return os.path.join(self.path, "d.npz")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in workers(self.path):
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(self.path, ignore_errors=True)
