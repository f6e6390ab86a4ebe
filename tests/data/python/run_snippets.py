"""Runs every Python snippet of a Markdown file in a folder: run_snippets.py FOLDER FILE."""
import os
import re
import sys
from pathlib import Path

snippets = re.findall(r"```python\n(.*?)```", Path(sys.argv[2]).read_text(encoding="utf-8"), re.S)
assert snippets, "no snippet found"
os.chdir(sys.argv[1])
for snippet in snippets:
    exec(compile(snippet, sys.argv[2], "exec"), {})
