"""What clients that mean no good do to `nouq serve`, and the answer that each must still be able to read."""
import json
import socket
import threading
import time

# Seconds of silence, and from the beginning; the server gives away the places of clients that take 0.5 and 2.
PATIENCE, DAWDLING = 0.4, 1.6


def head(path="/Evaluate", length=10, extra=""):
    return f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n{extra}\r\n".encode()


def evaluation(model):
    body = json.dumps({"name": model, "input": [[2.5]]}).encode()
    return head(length=len(body)) + body


class Visit:
    """A connection that has said something; `hesitated` when the last one took so long that the server may have given its place away."""

    hesitated = False

    def __init__(self, port, message):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.began = self.spoke = time.monotonic()
        Visit.hesitated = False
        self.say(message)

    def say(self, message):
        before = time.monotonic()  # what the server hears, it hears after this
        try:
            self.socket.sendall(message)
        finally:
            now = time.monotonic()
            Visit.hesitated |= now - self.spoke > PATIENCE or now - self.began > DAWDLING
            self.spoke = before

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def status(self):
        line = self.socket.makefile("rb").readline()
        if not line:
            raise ConnectionResetError("closed without an answer")
        return int(line.split()[1])

    def read_to_the_end(self):
        text = b""
        while part := self.socket.recv(65536):
            text += part
        return text


def expect(visit, *statuses):
    status = visit.status()
    assert status in statuses, (status, statuses)


def oversized(port, draw):
    with Visit(port, head(length=draw.choice([2**30, 2**40, 10**30, -1, "many"]))) as one:
        expect(one, 400, 413)
    with Visit(port, head(length=40 << 20)) as one:  # all of it is sent before the answer is read
        for _ in range(40):
            one.say(b"x" * (1 << 20))
        expect(one, 413)


def compressed(port, _draw):
    with Visit(port, head(extra="Content-Encoding: gzip\r\n") + b"\x1f\x8b" * 5) as one:
        expect(one, 415)
    with Visit(port, head(extra="Content-Type: multipart/form-data; boundary=x\r\n") + b"0123456789") as one:
        expect(one, 415)
    with Visit(port, head(extra="Transfer-Encoding: chunked\r\n") + b"5\r\nabcde\r\n") as one:
        expect(one, 411)


def deep(port, draw):
    shape = draw.choice(["[", '{"a":', "[{\"a\":"])
    body = (shape * draw.randrange(20, 200000)).encode()
    with Visit(port, head(length=len(body)) + body) as one:
        expect(one, 400)


def half_closed(port, draw):
    with Visit(port, head(length=1000) + b"x" * draw.randrange(1000)) as one:
        one.socket.shutdown(socket.SHUT_WR)
        assert one.read_to_the_end() == b"", "an answer to half a request"
    with Visit(port, evaluation("heat")) as one:  # a whole one is answered, whoever sends no more
        one.socket.shutdown(socket.SHUT_WR)
        assert one.read_to_the_end().startswith(b"HTTP/1.1 200 "), "a whole request was not answered"
    with Visit(port, evaluation("heat")) as one:  # and nobody waits for the answer
        one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")


def garbage(port, draw):
    with Visit(port, draw.randbytes(draw.randrange(1, 30000))) as one:
        one.socket.shutdown(socket.SHUT_WR)
        one.read_to_the_end()
    with Visit(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"A: b\r\n" * 20000) as one:
        expect(one, 400)


ATTACKS = (oversized, compressed, deep, half_closed, garbage)


class Slow(threading.Thread):
    """Sends a request byte by byte, on several connections."""

    def __init__(self, port, stop):
        super().__init__(daemon=True)
        self.port, self.stop = port, stop

    def run(self):
        message = head(length=5000) + b"x" * 5000
        while not self.stop.is_set():
            connections = [socket.create_connection(("127.0.0.1", self.port), timeout=60) for _ in range(30)]
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
    """Holds more connections than the server wants, and says nothing."""

    def __init__(self, port, stop, count):
        super().__init__(daemon=True)
        self.port, self.stop, self.count, self.most = port, stop, count, 0

    def run(self):
        while not self.stop.is_set():
            connections = []
            for _ in range(self.count):
                try:
                    connections.append(socket.create_connection(("127.0.0.1", self.port), timeout=10))
                except OSError:
                    break
            self.most = max(self.most, len(connections))
            self.stop.wait(3)
            for c in connections:
                c.close()
