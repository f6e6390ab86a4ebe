"""Errors of wrongly typed calls in Python's words, instead of lists of C++ signatures."""

import difflib
import functools
import inspect
import re


def _names(message):
    """The arguments that a function takes, from the signature in the message."""
    signature = re.search(r"1\. (.*)\n", message)
    return [name for name in re.findall(r"(\w+):", signature.group(1) if signature else "") if name != "self"]


def _said(value):
    text = repr(value)
    return text if len(text) <= 40 else f"a {type(value).__name__}"


def _plain(name, message, positional, keywords):
    known = _names(message)
    for given in keywords:
        if known and given not in known:
            near = difflib.get_close_matches(given, known, 1)
            return f"{name}() has no argument {given!r}" + (f"; did you mean {near[0]!r}?" if near else "")
    values = ", ".join([_said(value) for value in positional] + [f"{key}={_said(v)}" for key, v in keywords.items()])
    return f"{name}({values}): not what the arguments ({', '.join(known)}) can be; see help({name})"


def plain(function, name, bound=True):
    @functools.wraps(function)
    def call(*positional, **keywords):
        try:
            return function(*positional, **keywords)
        except TypeError as error:
            message = str(error)
            if "incompatible function arguments" not in message and "incompatible constructor arguments" not in message:
                raise
            own = positional[1:] if bound else positional  # without self
        raise TypeError(_plain(name, message, own, keywords))

    return call


def speak_plainly(kind, *methods):
    """Wraps the constructor and the named methods of a class of the extension."""
    kind.__init__ = plain(kind.__init__, kind.__name__)
    for name in methods:
        static = isinstance(inspect.getattr_static(kind, name), staticmethod)
        call = plain(getattr(kind, name), f"{kind.__name__}.{name}", bound=not static)
        setattr(kind, name, staticmethod(call) if static else call)
