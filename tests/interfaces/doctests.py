"""The examples in the docstrings, of Python files and of the extension alike."""
import doctest
import importlib
import sys

import nouq

finder = doctest.DocTestFinder(exclude_empty=True)
runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
for name in ("nouq", "nouq._improve", "nouq._labelled", "nouq._train", "nouq.conserve", "nouq.fno", "nouq.metrics", "nouq.problems"):
    for test in finder.find(importlib.import_module(name)):
        runner.run(test)
for thing in (nouq.DataSet, nouq.Axis, nouq.Model, nouq.Prediction):
    for test in finder.find(thing, thing.__name__, module=False):
        runner.run(test)
print(runner.summarize())
sys.exit(1 if runner.failures or not runner.tries else 0)
