"""`nouq serve` among clients that mean no good: oversized bodies, slow and silent clients, half-closed sockets, deep JSON,
many connections. Good requests must be served all the while, refusals must be readable, memory must stay flat, nothing may crash.

  python3 abuse.py build/release/bin/nouq [--minutes 10] [--connections 1000]

First without, then with more silent connections than the server takes. It may give away the place of a client that has said nothing for
half a second then; one that was quicker and is closed nevertheless is a failure of the test.
"""
import argparse
import os
import random
import resource
import threading
import time

from attacks import ATTACKS, PATIENCE, Silent, Slow, Visit
from server import Client, folder, serving, small_model

parser = argparse.ArgumentParser()
parser.add_argument("tool")
parser.add_argument("--minutes", type=float, default=0.25)
parser.add_argument("--connections", type=int, default=300, help="held open by one that says nothing")
parser.add_argument("--sanitized", action="store_true", help="the tool is: its allocator keeps what is freed, and says itself what leaks")
options = parser.parse_args()
options.tool = os.path.abspath(options.tool)
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))


class Good(threading.Thread):
    """Asks, checks, and asks again over the same connection."""

    def __init__(self, port, stop, expected):
        super().__init__(daemon=True)
        self.port, self.stop, self.expected = port, stop, expected
        self.seconds, self.reopened, self.failure = [], 0, None

    def run(self):
        try:
            while not self.stop.is_set():
                self.ask_until_closed()
        except Exception as error:  # whatever it is, the test must say it
            self.failure = repr(error)

    def ask_until_closed(self):
        client = Client(self.port, "heat", timeout=60)
        client.connection.connect()
        spoke = time.monotonic()  # the server counts the silence from when it has answered, which is later
        while not self.stop.is_set():
            begin = time.monotonic()
            try:
                answer = client.evaluate([2.5])
            except OSError:
                if (client.sent if client.sent > begin else time.monotonic()) - spoke < PATIENCE:
                    raise
                self.reopened += 1  # it had been silent for so long that it had to make room
                return
            spoke = begin
            assert answer == self.expected, "another answer"
            self.seconds.append(time.monotonic() - begin)
            time.sleep(0.01)


class Server:
    """The running server as the attacks see it."""

    def __init__(self, process, port):
        self.process, self.port = process, port
        self.sizes, self.attacks, self.displaced = [], 0, 0
        self.draw = random.Random(1)

    def memory(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

    def attack_once(self):
        for attack in ATTACKS:
            try:
                attack(self.port, self.draw)
            except ConnectionError as error:
                assert Visit.hesitated, f"{attack.__name__}: {error!r}"
                self.displaced += 1
            self.attacks += 1
        self.sizes.append(self.memory())


def campaign(server, expected, minutes, silent):
    """Returns the seconds that good requests took."""
    stop = threading.Event()
    good = [Good(server.port, stop, expected) for _ in range(3)]
    others = [Slow(server.port, stop)] + ([Silent(server.port, stop, silent)] if silent else [])
    for thread in [*good, *others]:
        thread.start()
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end and all(g.failure is None for g in good):
        server.attack_once()
    stop.set()
    for thread in [*good, *others]:
        thread.join(timeout=90)
    for g in good:
        assert g.failure is None, g.failure
        assert g.seconds, "no good request was served"
    assert server.process.poll() is None, "the server has ended"
    if not silent:
        assert sum(g.reopened for g in good) == 0, "a good client was closed though there was room"
    else:
        assert others[-1].most == silent, f"only {others[-1].most} silent connections"
    seconds = sorted(s for g in good for s in g.seconds)
    print(f"{silent} silent connections: {len(seconds)} good requests, median {1e3 * seconds[len(seconds) // 2]:.1f} ms, longest "
          f"{1e3 * seconds[-1]:.0f} ms, {sum(g.reopened for g in good)} connections opened again", flush=True)


with folder() as where:
    model = small_model(options.tool, where)
    with serving(options.tool, model, "--connections", "250") as (process, port):
        expected = Client(port, "heat").evaluate([2.5])
        server = Server(process, port)
        campaign(server, expected, 0.3 * options.minutes, 0)
        assert server.displaced == 0, "a client was closed though there was room"
        campaign(server, expected, 0.7 * options.minutes, options.connections)
        tenths = [max(server.sizes[i * len(server.sizes) // 10 : (i + 1) * len(server.sizes) // 10 + 1]) for i in range(10)]
        print(f"{server.attacks} attacks, {server.displaced} displaced; memory in tenths of the time, MB: "
              f"{' '.join(f'{size:.0f}' for size in tenths)}")
        early, late = max(tenths[:5]), max(tenths[5:])
        assert options.sanitized or late < 1.1 * early + 16, "memory grows"
        assert Client(port, "heat").evaluate([2.5]) == expected
