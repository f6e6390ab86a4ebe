"""Reads files as a strict reader would: SVG as XML, pages tag by tag. check_markup.py FILE..."""
import json
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """Every element is closed in order; scripts are only the page's own; JSON in it parses; ids are unique."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.json, self.texts = [], set(), None, []
        self.scripts = self.figures = 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            assert attributes["id"] not in self.ids, f"two elements are called {attributes['id']}"
            self.ids.add(attributes["id"])
        for name in ("src", "href"):
            assert not attributes.get(name, "").startswith(("http:", "//", "javascript:")), attributes
        if tag == "script":
            self.json = "" if attributes.get("type") == "application/json" else None
            self.scripts += attributes.get("type") is None
        self.figures += tag == "figure"

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        expected = self.open.pop()
        assert tag == expected, f"</{tag}> where </{expected}> was due, line {self.getpos()[0]}"
        if tag == "script" and self.json is not None:
            json.loads(self.json)
            self.json = None

    def handle_data(self, data):
        if self.json is not None:
            self.json += data
        self.texts.append(data)


for name in map(Path, sys.argv[1:]):
    text = name.read_text(encoding="utf-8")
    if name.suffix == ".svg":
        root = ElementTree.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg", root.tag
        continue
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert page.figures > 0
    assert page.scripts == (2 if "plotly.js (cartesian" in text else 1), page.scripts
    assert any("<script>alert(1)</script>" in data for data in page.texts), "the hostile name is not shown"
