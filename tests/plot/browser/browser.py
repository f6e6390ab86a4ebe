"""A headless Chromium, driven through a pair of pipes (its DevTools protocol): nothing but Python is needed."""
import base64
import json
import os
import subprocess


class Browser:
    def __init__(self, program, profile):
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def connect():  # the browser reads at 3 and writes at 4; the copies keep the two from overwriting each other
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--hide-scrollbars", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.events, self.buffer, self.number, self.session = [], b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise SystemExit("the browser went away")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)
            if answer.get("method") == "Page.javascriptDialogOpening":
                self.dismiss()

    # A dialog holds up the page, and so every answer about it.
    def dismiss(self):
        message = {"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": False}, "sessionId": self.session}
        os.write(self.out, json.dumps(message).encode() + b"\0")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def screen(self, width, height, scheme, motion="no-preference"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", media="screen", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def screenshot(self, path, width, height):
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=True, format="png",
                            clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
        path.write_bytes(base64.b64decode(picture["data"]))

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (SystemExit, OSError):
            pass
        self.process.wait(timeout=30)


def complaints(events, *addresses):
    """What the browser had to say against the page, which may ask for these addresses and no others."""
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            yield "exception: " + json.dumps(parameters["exceptionDetails"])[:400]
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            yield "console: " + json.dumps(parameters["args"])[:400]
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            yield "log: " + parameters["entry"]["text"]
        elif method == "Page.javascriptDialogOpening":
            yield "a text of the page was run as script: " + parameters["message"]
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if url.split("#")[0] not in addresses and not url.startswith(("data:", "blob:")):
                yield "request to " + url
