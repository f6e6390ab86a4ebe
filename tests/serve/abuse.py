"""`nouq serve` among clients that mean no good: oversized bodies, slow and silent clients, half-closed sockets, deep JSON,
many connections. Good requests must be served all the while, memory must stay flat, nothing may crash.

  python3 abuse.py build/release/bin/nouq [--minutes 10] [--connections 1000]
"""
import argparse
import json
import os
import random
import resource
import socket
import threading
import time

from server import Client, folder, serving, small_model

parser = argparse.ArgumentParser()
parser.add_argument("tool")
parser.add_argument("--minutes", type=float, default=0.25)
parser.add_argument("--connections", type=int, default=300, help="held open by one that says nothing")
options = parser.parse_args()
options.tool = os.path.abspath(options.tool)
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))


def head(path="/Evaluate", length=10, extra=""):
    return f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n{extra}\r\n".encode()


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def read_status(connection):
    line = connection.makefile("rb").readline()
    if not line:
        raise ConnectionResetError("closed without an answer")
    return int(line.split()[1])


def oversized(port, draw):
    with connect(port) as c:
        c.sendall(head(length=draw.choice([2**30, 2**40, 10**30, -1, "many"])))
        assert read_status(c) in (400, 413), "an oversized body"
    with connect(port) as c:  # and one that sends it
        c.sendall(head(length=40 << 20))
        try:
            for _ in range(40):
                c.sendall(b"x" * (1 << 20))
        except OSError:
            pass


def compressed(port, _draw):
    with connect(port) as c:
        c.sendall(head(extra="Content-Encoding: gzip\r\n") + b"\x1f\x8b" * 5)
        assert read_status(c) == 415
    with connect(port) as c:
        c.sendall(head(extra="Content-Type: multipart/form-data; boundary=x\r\n") + b"0123456789")
        assert read_status(c) == 415
    with connect(port) as c:
        c.sendall(head(extra="Transfer-Encoding: chunked\r\n") + b"5\r\nabcde\r\n")
        assert read_status(c) == 411


def deep(port, draw):
    shape = draw.choice(["[", '{"a":', "[{\"a\":"])
    body = (shape * draw.randrange(20, 200000)).encode()
    with connect(port) as c:
        c.sendall(head(length=len(body)) + body)
        assert read_status(c) == 400


def half_closed(port, draw):
    with connect(port) as c:
        c.sendall(head(length=1000) + b"x" * draw.randrange(1000))
        c.shutdown(socket.SHUT_WR)
        c.settimeout(30)
        while c.recv(4096):
            pass
    with connect(port) as c:  # a whole request, and nobody waits for the answer
        body = json.dumps({"name": "heat", "input": [[2.5]]}).encode()
        c.sendall(head(length=len(body)) + body)
        c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


def garbage(port, draw):
    with connect(port) as c:
        try:
            c.sendall(draw.randbytes(draw.randrange(1, 30000)))
            c.shutdown(socket.SHUT_WR)
            while c.recv(4096):
                pass
        except OSError:
            pass
    with connect(port) as c:
        c.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"A: b\r\n" * 20000)
        try:
            read_status(c)
        except OSError:
            pass


class Slow(threading.Thread):
    """Sends a request byte by byte, on several connections."""

    def __init__(self, port, stop):
        super().__init__(daemon=True)
        self.port, self.stop = port, stop

    def run(self):
        message = head(length=5000) + b"x" * 5000
        while not self.stop.is_set():
            connections = [connect(self.port) for _ in range(30)]
            for byte in message[:60]:
                for c in connections:
                    try:
                        c.sendall(bytes([byte]))
                    except OSError:
                        pass
                if self.stop.wait(0.3):
                    break
            for c in connections:
                c.close()


class Silent(threading.Thread):
    """Holds more connections than one would like, and says nothing."""

    def __init__(self, port, stop):
        super().__init__(daemon=True)
        self.port, self.stop = port, stop

    def run(self):
        while not self.stop.is_set():
            connections = []
            for _ in range(options.connections):
                try:
                    connections.append(connect(self.port))
                except OSError:
                    break
            self.stop.wait(3)
            for c in connections:
                c.close()


class Good(threading.Thread):
    def __init__(self, port, stop, expected):
        super().__init__(daemon=True)
        self.port, self.stop, self.expected = port, stop, expected
        self.seconds, self.reopened, self.failure = [], 0, None

    def run(self):
        client = Client(self.port, "heat", timeout=60)
        while not self.stop.is_set() and self.failure is None:
            begin = time.monotonic()
            try:
                if client.evaluate([2.5]) != self.expected:
                    self.failure = "another answer"
            except (OSError, ConnectionError) as error:
                # At the limit of connections the one idle longest is closed; who asks has not been idle for long.
                self.reopened += 1
                client = Client(self.port, "heat", timeout=60)
                if self.reopened > 20 + len(self.seconds) // 20:
                    self.failure = repr(error)
            except Exception as error:  # whatever it is, the test must say it
                self.failure = repr(error)
            self.seconds.append(time.monotonic() - begin)
            time.sleep(0.01)


def memory(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


with folder() as where:
    model = small_model(options.tool, where)
    with serving(options.tool, model, "--connections", "250") as (process, port):
        expected = Client(port, "heat").evaluate([2.5])
        stop = threading.Event()
        good = [Good(port, stop, expected) for _ in range(3)]
        for thread in [*good, Slow(port, stop), Silent(port, stop)]:
            thread.start()
        draw, end, sizes, attacks = random.Random(1), time.monotonic() + 60 * options.minutes, [], 0
        displaced = 0  # by the silent ones, before anything was sent
        while time.monotonic() < end and all(g.failure is None for g in good):
            for attack in (oversized, compressed, deep, half_closed, garbage):
                try:
                    attack(port, draw)
                except ConnectionError as error:
                    displaced += 1
                    assert displaced <= 20 + attacks // 20, f"{attack.__name__}: {error!r}"
                attacks += 1
            sizes.append(memory(process))
        stop.set()
        for g in good:
            g.join(timeout=90)
            assert g.failure is None, g.failure
            assert g.seconds, "no good request was served"
        assert process.poll() is None, "the server has ended"
        seconds = sorted(s for g in good for s in g.seconds)
        early, late = max(sizes[: len(sizes) // 2 + 1]), max(sizes[len(sizes) // 2 :])
        print(f"{len(seconds)} good requests, median {1e3 * seconds[len(seconds) // 2]:.1f} ms, longest "
              f"{1e3 * seconds[-1]:.0f} ms, {sum(g.reopened for g in good)} connections opened again; {attacks} attacks, {displaced} displaced; memory "
              f"{early:.0f} MB, later {late:.0f} MB")
        assert late < 1.1 * early + 16, "memory grows"
        assert Client(port, "heat").evaluate([2.5]) == expected
