"""Opens report pages in a headless Chromium: check_page.py CHROMIUM FOLDER PAGE...

Each page is opened on a wide light, a wide dark and a narrow screen. It must not write an error to the console, ask for
anything but itself, run text as script, be wider than the screen, or leave a figure undrawn. Screenshots and a PDF go to
FOLDER.
"""
import base64
import sys
import tempfile
from pathlib import Path

from browser import Browser, complaints

VIEWS = {"light": (1100, 800, "light"), "dark": (1100, 800, "dark"), "narrow": (375, 800, "light")}
TALLEST = 100000  # pixels of a screenshot: of more the browser says that the page is too large
# How many figures there are, how many show a live plot with something in it, how many show a drawing.
COUNT = """(() => {
  const seen = (element) => element !== null && element.getBoundingClientRect().height > 50;
  const figures = [...document.querySelectorAll("figure.figure")];
  return {
    figures: figures.length,
    live: figures.filter((f) => seen(f.querySelector(".plot .main-svg")) && f.querySelector(".plot .trace, .plot .hm, .plot .bars")).length,
    drawn: figures.filter((f) => [...f.querySelectorAll(".drawing svg.drawn")].some(seen)).length,
    heard: document.querySelectorAll("main script:not([type]), h1 script").length,
    senders: document.querySelectorAll("main [href^='http'], main form, [data-title*='loud']").length,
    bare: figures.flatMap((f) => [...f.querySelectorAll(".plot .js-plotly-plot, .plot.js-plotly-plot")]).flatMap((plot) =>
      Object.entries(plot._fullLayout).filter(([name, axis]) => /^[xy]axis[0-9]*$/.test(name) && axis.showticklabels &&
        axis._vals !== undefined && axis._vals.filter((tick) => tick.text && !tick.minor).length === 0)
        .map(([name]) => (plot.layout.title?.text ?? plot.closest("figure").id) + " " + name)),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    title: document.querySelector("h1").textContent,
  };
})()"""


def check_view(browser, page, name, view, folder):
    width, height, scheme = view
    address = page.resolve().as_uri()
    browser.events.clear()
    browser.screen(width, height, scheme)
    browser.call("Page.navigate", url=address)
    browser.evaluate("""new Promise((done) => { const wait = () => document.documentElement?.dataset.drawn === "all"
        ? setTimeout(done, 300) : setTimeout(wait, 50); wait(); })""")
    count = browser.evaluate(COUNT)
    problems = list(complaints(browser.events, address))
    live = browser.evaluate("typeof Plotly") == "object"
    if count["figures"] == 0 or count["live" if live else "drawn"] != count["figures"]:
        problems.append(f"not all figures are drawn: {count}")
    if count["heard"]:
        problems.append("a script element came from a text")
    if count["senders"]:
        problems.append("something in the page would send data away")
    if live and count["bare"]:
        problems.append(f"axes without one label: {count['bare']}")
    if count["overflow"] > 0:
        problems.append(f"the page is {count['overflow']} pixels wider than the screen")
    if browser.evaluate("document.documentElement.dataset.theme") != scheme:
        problems.append("the page does not follow the system's colours")
    tall = min(browser.evaluate("document.documentElement.scrollHeight"), TALLEST)
    browser.screenshot(folder / f"{page.stem}-{name}.png", width, tall)
    print(f"{page.name}, {name}: {count['figures']} figures, {count['live']} live, {count['drawn']} drawings")
    return [f"{page.name}, {name}: {problem}" for problem in problems]


def check_table(browser, page):
    """A click on the first column of numbers sorts each group of rows by it."""
    column = browser.evaluate("""[...document.querySelectorAll("table.sortable thead .columns th")].findIndex((th) =>
        th.classList.contains("number"))""")
    values = f"""[...document.querySelector("table.sortable").tBodies].map((body) =>
        [...body.rows].filter((row) => !row.classList.contains("group")).map((row) => Number(row.cells[{column}].dataset.value)))"""
    browser.evaluate(f"document.querySelectorAll('table.sortable thead .columns button')[{column}].click()")
    groups = browser.evaluate(values)
    return [] if all(group == sorted(group) for group in groups) else [f"{page.name}: {groups} is not sorted"]


def check_toggle(browser, page):
    before = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    browser.evaluate("document.getElementById('theme').click()")
    after = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    browser.evaluate("localStorage.clear()")
    return [] if before != after else [f"{page.name}: the button does not change the colours"]


# Whether the number of somebody else stands below ours, and whether tables are wider than the page.
TABLES = """(() => ({
  apart: [...document.querySelectorAll(".reference")].every((e) => getComputedStyle(e).display === "block"),
  wide: [...document.querySelectorAll("table")].filter((t) => t.scrollWidth > document.documentElement.clientWidth).length,
}))()"""


def check_narrow_table(browser, page):
    """Seen through a keyhole, a table keeps its first column in sight."""
    stays = browser.evaluate("""[...document.querySelectorAll("tbody td:first-child")].every((cell) =>
        getComputedStyle(cell).position === "sticky")""")
    tables = browser.evaluate(TABLES)
    return [] if stays and tables["apart"] else [f"{page.name}, narrow: a table's first column moves, {tables}"]


def check_paper(browser, page):
    """On A4 no table is cut, and what is folded is open."""
    browser.call("Emulation.setDeviceMetricsOverride", width=718, height=1000, deviceScaleFactor=1, mobile=False)
    tables = browser.evaluate(TABLES)
    folded = "document.querySelectorAll('details:not([open])').length"
    before = browser.evaluate(folded)
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    during = browser.evaluate(folded)
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    problems = [f"{page.name} in print: {tables}"] if tables["wide"] or not tables["apart"] else []
    if during or browser.evaluate(folded) != before:
        problems.append(f"{page.name} in print: {during} of {before} blocks stay folded")
    return problems


def check_print(browser, page, folder):
    """On paper there are drawings on white, also when the screen is dark."""
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    problems = check_paper(browser, page)
    count = browser.evaluate(COUNT)
    colour = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    paper = browser.call("Page.printToPDF", printBackground=True)
    (folder / f"{page.stem}.pdf").write_bytes(base64.b64decode(paper["data"]))
    if count["live"] == 0 and count["drawn"] == count["figures"] and colour == "rgb(255, 255, 255)":
        return problems
    return problems + [f"{page.name} in print: {count}, background {colour}"]


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    problems = []
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        try:
            for page in map(Path, sys.argv[3:]):
                for name, view in VIEWS.items():
                    problems += check_view(browser, page, name, view, folder)
                problems += check_narrow_table(browser, page)
                problems += check_table(browser, page) + check_toggle(browser, page)
                problems += check_print(browser, page, folder)
        finally:
            browser.close()
    print("\n".join(problems) or "no complaint")
    sys.exit(1 if problems else 0)


main()
