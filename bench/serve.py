"""How many answers a second `nouq serve` gives, beside the same network behind PyTorch and Python's http.server.

  ./run bench serve [--model pme.nouq] [--clients 10] [--seconds 10] [--cores 0,1] [--peer-python P]

Ten clients ask one field each time and wait for it (batch 1, width 32, 100 x 20 points, ten heads, UM-Bridge's /Evaluate with
mean and standard deviation as JSON), over connections kept open. Server and clients share the cores that are named. The
network has the same shape on all sides; its values do not matter for the time. PyTorch's is there twice, with Fourier transforms and with
the kept modes alone as matrix products (bench/peer), the strongest we can write. `nouq serve` judges every answer besides. All are
measured in turn, three times; the best of each is printed.
"""
import argparse
import contextlib
import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))


def peer(kind):
    """The other side: a thread per connection, the network on one core for each answer."""
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    import torch

    sys.path.insert(0, os.path.join(here, "peer"))
    from fno_torch import Fno, blas

    if blas() is None:
        sys.exit("PyTorch here multiplies with the reference BLAS; install libopenblas0-pthread or name another --peer-python")
    torch.set_num_threads(1)
    network = Fno(32, 12, heads=10).eval()
    if kind == "matrix":
        network = network.by_matrices(100, 20)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self):
            super().setup()
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with torch.inference_mode():
                heads = network(torch.full((1, 100, 20, 1), request["input"][0][0]))[0].double()
                output = [heads.mean(-1).flatten().tolist(), heads.std(-1).flatten().tolist()]
            body = json.dumps({"output": output}).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            self.wfile.write(head + body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


class Client:
    """One connection kept open that asks, waits for the whole answer, and asks again."""

    def __init__(self, port):
        body = json.dumps({"name": "model", "input": [[2.5]], "config": {}}).encode()
        self.request = b"POST /Evaluate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self.ask()

    def ask(self):
        self.begin, self.head, self.missing = time.perf_counter(), bytearray(), None
        self.connection.sendall(self.request)

    def read(self):
        """What there is; whether the answer is whole now."""
        part = self.connection.recv(1 << 20)
        assert part, "the server closed the connection"
        if self.missing is None:
            self.head += part
            head, end, rest = bytes(self.head).partition(b"\r\n\r\n")
            if not end:
                return False
            assert head.startswith(b"HTTP/1.1 200"), head
            length = next(line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
            self.missing, part = int(length.split(b":")[1]), rest
        self.missing -= len(part)
        return self.missing == 0


def load(port, count, seconds):
    """(answers a second, median, 99th percentile) of `count` clients. One thread serves them all, so that what is measured
    is the server and not who of ten threads holds Python's lock."""
    ready, times = selectors.DefaultSelector(), []
    for client in [Client(port) for _ in range(count)]:
        ready.register(client.connection, selectors.EVENT_READ, client)
    begin = time.perf_counter() + 1  # the first second is not counted
    end = begin + seconds
    while (now := time.perf_counter()) < end:
        for key, _ in ready.select(1):
            if key.data.read():
                if now > begin:
                    times.append(time.perf_counter() - key.data.begin)
                key.data.ask()
    for key in list(ready.get_map().values()):
        key.fileobj.close()
    times.sort()
    return len(times) / seconds, times[len(times) // 2], times[int(0.99 * len(times))]


@contextlib.contextmanager
def running(*words):
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = process.stdout.readline().strip()
        if not address:
            sys.exit(f"{' '.join(words)} did not start; the peer wants a Python with PyTorch (--peer-python)")
        yield int(address.rstrip("/").rsplit(":", 1)[1])
    finally:
        process.terminate()
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/release/bin/nouq")
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--cores", default="0,1")
    parser.add_argument("--model", help="a model of pme on 100 x 20 points of width 32; else one is trained for an epoch")
    parser.add_argument("--peer-python", default="/usr/bin/python3")
    parser.add_argument("--peer", choices=("fft", "matrix"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        return peer(options.peer)
    os.sched_setaffinity(0, {int(core) for core in options.cores.split(",")})
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        tool = os.path.abspath(options.tool)
        if options.model:
            shutil.copy(options.model, f"{folder}/model.nouq")
        else:
            subprocess.run([tool, "generate", "pme", "-n", "40", "-o", "pme.npz"], **quiet)
            subprocess.run([tool, "train", "pme.npz", "-o", "model.nouq", "--epochs", "1"], **quiet)
        sides = {"nouq serve": (tool, "serve", f"{folder}/model.nouq", "--port", "0")}
        # One core for each answer there, too: with more threads than that its clients hold each other up.
        words = ("env", "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", options.peer_python, os.path.abspath(__file__), "--peer")
        sides |= {"PyTorch, http.server": (*words, "fft"), "the same by matrices": (*words, "matrix")}
        best = {}
        for _ in range(3):
            for name, words in sides.items():
                with running(*words) as port:
                    best[name] = max(best.get(name, (0,)), load(port, options.clients, options.seconds))
    print(f"{options.clients} clients, batch 1, width 32, 100 x 20, cores {options.cores}")
    for name, (rate, median, slow) in best.items():
        print(f"  {name:26} {rate:7.0f} a second   median {1e3 * median:6.1f} ms   99th percentile {1e3 * slow:6.1f} ms")


main()
