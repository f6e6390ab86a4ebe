"""Opens the explorer of a running `nouq serve` in a headless Chromium: check_explorer.py CHROMIUM NOUQ FOLDER [--times] [MODEL...]

Every slider must move the curve, the verdict turn where the training range is left, the exports be what they say, a link restore
the state, and the page work by keyboard, on a narrow screen, in the dark and without its server, without one complaint of the
browser. Screenshots and exported files go to FOLDER. Of further MODELs the time from slider to picture is measured besides; with --times
that is all that is done.
"""
import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

from browser import Browser, complaints
from explorer_models import HOSTILE, make

VIEWS = {"light": (1100, 800, "light"), "dark": (1100, 800, "dark"), "phone": (360, 740, "dark")}
CURVE = "([...document.querySelectorAll('#curve path.curve')].at(-1)?.getAttribute('d') ?? '')"
CURVES = "[...document.querySelectorAll('#curve path.curve')].map((path) => path.dataset.name)"
RESTS = "document.getElementById('curve')?.getAttribute('aria-busy') === 'false'"
WORDS = "document.getElementById('curve').getAttribute('aria-label')"  # of the numbers shown, not of the axes they are drawn on
ARRAYS = ("mean", "std", "band")


class Server:
    def __init__(self, tool, models, data, port=0):
        command = [tool, "serve", *map(str, models), "--port", str(port)] + (["--data", str(data)] if data else [])
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise SystemExit("nouq serve did not start: " + " ".join(command))
        self.port = int(self.url.rstrip("/").rsplit(":", 1)[1])

    def ask(self, path, body=None):
        request = urllib.request.Request(self.url + path, data=body and json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=30)


class Explorer:
    """The page, and what a reader does with it."""

    def __init__(self, browser, server, folder):
        self.browser, self.server, self.folder, self.problems = browser, server, folder, []
        self.model = ""

    def say(self, problem):
        self.problems.append(f"{self.model}: {problem}")

    def expect(self, right, problem):
        if not right:
            self.say(problem)
        return right

    def js(self, expression):
        return self.browser.evaluate(expression)

    def until(self, expression, what, seconds=20):
        """Waits until the expression is true in the page."""
        end = time.time() + seconds
        while time.time() < end:
            if self.js(expression):
                return True
            time.sleep(0.03)
        self.say(f"{what} did not happen within {seconds} s")
        return False

    def open(self, model, hash_words="", view="light", motion="no-preference"):
        self.model = model
        self.browser.screen(*VIEWS[view], motion)
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.call("Page.navigate", url=self.server.url + "#" + (hash_words or "model=" + urllib.parse.quote(model)))
        self.until(f"document.readyState === 'complete' && {RESTS}", "the first picture")

    def answered(self, action, what):
        """Does something that asks the server, and waits until the answer is drawn."""
        self.until(RESTS, "rest")
        self.js(action)
        self.until(RESTS, what)

    def slide(self, number, value):
        self.answered(f"{{ const s = document.getElementById('parameter-{number}'); s.value = {value};"
                      " s.dispatchEvent(new Event('input')); }", f"an answer to parameter {number} = {value}")

    def choose(self, name, value):
        self.answered(f"{{ const s = document.getElementById('{name}'); s.value = '{value}';"
                      " s.dispatchEvent(new Event('change')); }", f"an answer to {name} = {value}")

    def key(self, key, code, number, text=""):
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number,
                              **({"text": text} if text and kind == "keyDown" else {}))


def check_look(page, name, view):
    page.open(name, view=view)
    page.until("!document.getElementById('verdict-word').matches(':empty')", "a verdict")
    overflow = page.js("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    page.expect(overflow <= 0, f"{view}: {overflow} pixels wider than the screen")
    page.expect(page.js("document.documentElement.dataset.theme") == VIEWS[view][2], f"{view}: not in the system's colours")
    page.expect(page.js("document.getElementById('title').textContent") == name, f"{view}: the title is not the model's name")
    page.expect(page.js("document.querySelectorAll('main img, h1 img, option img').length") == 0, "its name became an element")
    width, height = VIEWS[view][:2]
    stem = "hostile" if name == HOSTILE else name
    page.browser.screenshot(page.folder / f"explorer-{stem}-{view}.png", width,
                            max(height, min(3000, page.js("document.documentElement.scrollHeight"))))


def check_sliders(page, name, model):
    """Each slider, moved to either end, shows another curve; the number beside it and the words below follow."""
    page.open(name)
    for i, parameter in enumerate(model["parameters"]):
        seen = {page.js(CURVE)}
        for value in parameter["range"]:
            page.slide(i, value + 0.01 * (parameter["range"][1] - value))
            seen.add(page.js(CURVE))
        page.expect(len(seen) == 3, f"the slider of {parameter['name']} does not move the curve")
    for d in range(1, len(model["axes"])):
        before = page.js(CURVE)
        page.js(f"{{ const s = document.getElementById('section-{d}'); s.value = 0; s.dispatchEvent(new Event('input')); }}")
        page.expect(page.js(CURVE) != before, f"the section along {model['axes'][d]['name']} does not move the curve")


def check_verdict(page):
    """Within the training range it is trusted; at the far end it is not, and says so in words, to listeners too."""
    page.open("pme")
    verdict = "document.getElementById('verdict').dataset.verdict"
    page.slide(0, 2.5)
    page.expect(page.js(verdict) == "in-domain", f"at m = 2.5 the verdict is {page.js(verdict)}")
    page.expect(not page.js("document.querySelector('.parameter').classList.contains('outside')"), "m = 2.5 is called outside")
    page.slide(0, 5.9)
    page.expect(page.js(verdict) == "out-of-domain", f"at m = 5.9 the verdict is {page.js(verdict)}")
    words = page.js("document.getElementById('verdict').innerText")
    page.expect("out of domain" in words and "outside the training range" in words, f"the verdict says {words!r}")
    page.expect("outside" in page.js("document.getElementById('parameter-0').getAttribute('aria-valuetext')"),
                "a screen reader does not hear that the slider is outside")
    page.until("document.getElementById('heard').textContent.includes('out of domain')", "the verdict for screen readers")


def check_views(page):
    page.open("pme")
    page.choose("projection", "bounded")
    names = page.js(CURVES)
    page.expect(names == ["mean before projection", "mean, projected"], f"with a projection the curves are {names}")
    page.answered("document.getElementById('show-truth').click()", "an answer with the truth")
    page.expect("truth" in page.js(CURVES), "the truth is not drawn")
    page.expect("relative error" in page.js("document.getElementById('figures').textContent"), "the error is not told")
    page.js("document.getElementById('show-maps').click()")
    titles = page.js("[...document.querySelectorAll('#maps image')].map((map) => map.dataset.title)")
    page.expect(titles == ["mean, projected", "standard deviation", "truth", "|error|"], f"the maps are {titles}")
    # A press on a map moves the section.
    box = page.js("(() => { const b = document.querySelector('#maps image').getBoundingClientRect();"
                  " scrollTo(0, b.top + scrollY - 50); const c = document.querySelector('#maps image').getBoundingClientRect();"
                  " return [c.left + c.width / 2, c.bottom - 3]; })()")
    before = page.js("document.getElementById('section-1').value")
    page.browser.call("Input.dispatchMouseEvent", type="mousePressed", x=box[0], y=box[1], button="left", buttons=1, clickCount=1)
    page.browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=box[0], y=box[1], button="left", clickCount=1)
    page.expect((before, page.js("document.getElementById('section-1').value")) == ("10", "0"), "a press on a map does nothing")


def check_exports(page):
    page.open("pme")
    page.slide(0, 4)
    page.answered("document.getElementById('show-truth').click()", "an answer with the truth")
    target = page.folder / "exports"
    target.mkdir(exist_ok=True)
    for old in target.iterdir():
        old.unlink()
    page.browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(target.resolve()))
    for ending in ("svg", "png", "csv", "npz"):
        page.js(f"document.getElementById('save-{ending}').click()")
        page.until(f"document.getElementById('done').textContent === 'Saved pme.{ending}.'", f"saving {ending}")
    for _ in range(100):
        if all((target / f"pme.{ending}").exists() for ending in ("svg", "png", "csv", "npz")):
            break
        time.sleep(0.05)
    value = float(page.js("document.querySelector('.parameter input[type=number]').value"))
    answer = page.server.ask("api/predict", {"model": "pme", "parameters": {"degree": value}, "truth": True})
    with np.load(target / "pme.npz") as saved:
        for name in (*ARRAYS, "truth"):
            page.expect(np.array_equal(saved[name], np.reshape(answer[name], answer["shape"])), f"NPZ: {name} is not the server's")
        page.expect(saved["parameter_degree"] == value and saved["axis_t"].shape == (12,), "NPZ: parameter or axis is wrong")
        page.expect(str(saved["trust_verdict"]) == answer["trust"]["verdict"], "NPZ: the verdict is wrong")
    table = np.genfromtxt(target / "pme.csv", delimiter=",", names=True)
    page.expect(np.array_equal(table["mean"], answer["mean"]) and len(set(table["x"])) == 64, "CSV: the numbers are not the server's")
    root = ElementTree.parse(target / "pme.svg").getroot()
    page.expect(root.tag == "{http://www.w3.org/2000/svg}svg" and "var(" not in (target / "pme.svg").read_text(), "SVG: not standalone")
    picture = (target / "pme.png").read_bytes()
    page.expect(picture[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(picture[16:20], "big") == 1520, "PNG: not the picture")


def check_link(page):
    """What a link says comes back: parameter, projection, section, and a function that was drawn."""
    page.open("pme")
    page.slide(0, 3.7)
    page.choose("projection", "bounded")
    page.js("{ const s = document.getElementById('section-1'); s.value = 4; s.dispatchEvent(new Event('input')); }")
    page.until("location.hash.includes('at.t=4') && location.hash.includes('projection=bounded')", "the link")
    words, curve = page.js("location.hash.slice(1)"), page.js(WORDS)
    page.open("pme", words)
    page.expect(page.js(WORDS) == curve, "a link does not restore the curve")
    page.open("step", "model=step&from=parameters")
    page.answered("document.querySelector('[data-preset=sine]').click()", "an answer to a sine")
    page.expect(page.js("document.querySelector('input[name=source]:checked').value") == "function", "a preset does not begin a drawing")
    page.until("location.hash.includes('f=')", "the link of a function")
    words, curve = page.js("location.hash.slice(1)"), page.js(WORDS)
    page.open("step", words)
    page.expect(page.js(WORDS) == curve, "a link does not restore a drawn function")
    for nonsense in ("model=nothing&p.degree=x&at.t=-1&f=%00&along=q&sample=1e9", "%%%", "model=step&from=function&f=AA~999999."):
        page.open("nonsense in the link", nonsense)


def check_drawing(page):
    """A stroke of the pointer, and the keyboard, change the input and so the curve."""
    for name in ("step", "plane"):
        page.open(name)
        page.until("!document.getElementById('drawing').hidden", "the input's picture")
        curve = page.js(CURVE)
        left, top, width, height = page.js(
            "(() => { const c = document.querySelector('#drawing canvas'); c.scrollIntoView({block: 'center'});"
            " const b = c.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
        for kind, share in (("mousePressed", 0.2), ("mouseMoved", 0.5), ("mouseMoved", 0.8), ("mouseReleased", 0.8)):
            page.browser.call("Input.dispatchMouseEvent", type=kind, x=left + share * width, y=top + 0.5 * height, button="left",
                              buttons=0 if kind == "mouseReleased" else 1, clickCount=1)
        page.until(f"{RESTS} && {CURVE} !== {json.dumps(curve)}", "another curve after drawing")
        curve = page.js(CURVE)
        page.js("document.querySelector('#drawing canvas').focus()")
        for _ in range(3):
            page.key("ArrowUp", "ArrowUp", 38)
        if name == "plane":
            page.js("{ const b = document.getElementById('brush'); b.value = 7.5; }")
            page.key(" ", "Space", 32, " ")
        page.until(f"{RESTS} && {CURVE} !== {json.dumps(curve)}", "another curve after drawing by keyboard")
        for preset in ("flat", "step", "sine", "smooth"):
            curve = page.js(CURVE)
            page.answered(f"document.querySelector('[data-preset={preset}]').click()", f"an answer to {preset}")
            page.expect(page.js(CURVE) != curve, f"the preset {preset} changes nothing")


def check_samples(page):
    page.open("plane", "model=plane&from=sample&sample=3")
    curve = page.js(CURVE)
    page.answered("{ const s = document.getElementById('sample'); s.value = 5; s.dispatchEvent(new Event('input')); }", "sample 5")
    page.expect(page.js(CURVE) != curve, "another sample does not move the curve")
    page.answered("document.getElementById('show-truth').click()", "the truth of a sample")
    page.expect("truth" in page.js(CURVES), "the truth of a sample is not drawn")


def check_keyboard(page):
    """From the top by Tab to the slider, by arrows along it; the single keys; and off when they are switched off."""
    page.open("pme")
    page.js("document.activeElement.blur()")
    order = []
    for _ in range(20):
        page.key("Tab", "Tab", 9)
        order.append(page.js("document.activeElement.id || document.activeElement.name || document.activeElement.className"))
        if order[-1] == "parameter-0":
            break
    page.expect(order[:2] == ["theme", "play"] and order[-1] == "parameter-0", f"the order of the focus is {order}")
    seen = page.js(CURVE)
    page.key("ArrowRight", "ArrowRight", 39)
    page.until(f"{RESTS} && {CURVE} !== {json.dumps(seen)}", "another curve after an arrow key")
    page.js("document.activeElement.blur()")
    page.key("t", "KeyT", 84, "t")
    page.until(f"{CURVES}.includes('truth')", "the truth by its key")
    page.key(",", "Comma", 188, ",")
    page.expect(page.js("document.getElementById('section-1').value") == "9", "a comma does not step back")
    page.js("document.getElementById('use-keys').click()")
    page.key(",", "Comma", 188, ",")
    page.expect(page.js("document.getElementById('section-1').value") == "9", "single keys cannot be switched off")
    page.js("document.querySelector('.play').click()")
    page.until("document.getElementById('section-1').value === '11' && document.querySelector('.play').textContent === 'Play'", "playing to the end")


def check_names(page):
    """Every control has a name for those who cannot see it."""
    page.browser.call("Accessibility.enable")
    kinds = {"slider", "spinbutton", "checkbox", "radio", "combobox", "button", "meter", "application", "image"}
    for name in ("pme", "plane", "block"):
        page.open(name)
        for node in page.browser.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value", "").lower()
            if role in kinds and not node.get("ignored") and not node.get("name", {}).get("value"):
                page.say(f"a {role} has no name")
    page.browser.call("Accessibility.disable")


def check_motion(page):
    """Whoever asked for less motion sees a picture every 0.7 s when playing."""
    page.open("pme", "model=pme&at.t=0", motion="reduce")
    page.js("document.querySelector('.play').click()")
    time.sleep(1.2)
    shown = int(page.js("document.getElementById('section-1').value"))
    page.expect(shown <= 2, f"with less motion {shown} steps in 1.2 s")
    page.js("document.querySelector('.play').click()")


def check_refusals(page):
    """What the server refuses is said in its words, and the page goes on."""
    page.open("pme")
    page.js("{ const n = document.querySelector('.parameter input[type=number]'); n.value = -3; n.dispatchEvent(new Event('input')); }")
    page.until("!document.getElementById('trouble').hidden", "words about a refusal")
    words = page.js("document.getElementById('trouble').textContent")
    page.expect("-3" in words, f"the refusal says {words!r}")
    page.slide(0, 2.5)
    page.expect(page.js("document.getElementById('trouble').hidden"), "the refusal stays after a good answer")


def times(page, name, model):
    """Slider to picture: from the event to the frame on the screen, over 80 moves, one after the other."""
    page.open(name)
    low, high = model["parameters"][0]["range"]
    page.js("performance.clearMeasures()")
    for i in range(80):
        page.slide(0, low + (high - low) * (i + 1) / 82)
    took = sorted(page.js("performance.getEntriesByName('slider to picture').map((entry) => entry.duration)"))
    shape = "x".join(str(len(axis["coordinates"])) for axis in model["axes"])
    print(f"{name} ({shape}): slider to picture {statistics.median(took):.1f} ms in the median, "
          f"{took[int(0.95 * len(took))]:.1f} ms in 95 of 100, over {len(took)} moves")


def check_offline(page, restart):
    """Without its server the page says so, keeps the picture, and goes on when the server is back."""
    page.open("pme")
    curve = page.js(CURVE)
    page.server.stop()
    page.js("{ const s = document.getElementById('parameter-0'); s.value = 4; s.dispatchEvent(new Event('input')); }")
    page.until("document.getElementById('trouble').textContent.includes('does not answer')", "words about the lost server")
    page.expect(page.js(CURVE) == curve, "the last picture is gone")
    page.server = restart()
    page.until(f"document.getElementById('trouble').hidden && {CURVE} !== {json.dumps(curve)}", "going on with the new server")


def heard(page):
    allowed = [page.server.url + path for path in ("", "api/models", "api/predict")] + ["about:blank"]
    for one in complaints(page.browser.events, *allowed):
        page.say(one)
    page.browser.events.clear()


def check(page, described):
    for name in described:
        for view in VIEWS:
            check_look(page, name, view)
        if described[name]["parameters"]:
            check_sliders(page, name, described[name])
        heard(page)
    for one in (check_verdict, check_views, check_exports, check_link, check_drawing, check_samples, check_keyboard,
                check_names, check_motion):
        one(page)
        heard(page)


def check_times(page, described):
    for name, model in described.items():
        if model["parameters"] and name != HOSTILE:
            times(page, name, model)
    heard(page)


def main():
    program, tool, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    only_times = "--times" in sys.argv[4:]
    models, data = ([], None) if only_times else make(tool, folder / "models")
    models += [Path(word) for word in sys.argv[4:] if word != "--times"]
    server = Server(tool, models, data)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        page = Explorer(browser, server, folder)
        try:
            described = {model["name"]: model for model in server.ask("api/models")["models"]}
            if not only_times:
                check(page, described)
            check_times(page, described)
            if not only_times:
                check_refusals(page)
                check_offline(page, lambda: Server(tool, models, data, server.port))
        finally:
            browser.close()
            code = page.server.stop()
    page.expect(code == 0, f"nouq serve ended with {code}")
    print("\n".join(page.problems) or "no complaint")
    sys.exit(1 if page.problems else 0)


main()
