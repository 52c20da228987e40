"""Who an agent is: name, version, and a hash of what its decisions depend on.

The hash of an agent that a file holds is that of the file. The hash of an agent that is code covers the source of its
module and of every module of the same distribution that this one imports, directly or through others: for `rule` that
is `agents/rule` and the core, for `pimc` the solver too, but not another agent. Comments, documentation and layout do
not count. Files that an agent names in an attribute `sources`, its weights for example, count with their bytes.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import io
import sys
import tokenize
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from five_hundred_env.agents import BUILT_IN, Agent
from five_hundred_env.agents.registry import ENTRY_POINTS, MAKERS
from five_hundred_env.core.constants import VERSION

HASH_LENGTH = 12
_LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING)
_BLOCKS = {tokenize.INDENT: ">", tokenize.DEDENT: "<"}
_EDGES = ("\n", ">", "<")
_TEXT_START, _TEXT_END = (getattr(tokenize, f"FSTRING_{end}", -1) for end in ("START", "END"))


@dataclass(frozen=True)
class Identity:
    """What a result says about an agent, so that it can be told whether two runs met the same one."""

    name: str
    spec: str
    version: str
    hash: str

    def to_dict(self) -> dict[str, str]:
        """Return the fields."""
        return {"name": self.name, "spec": self.spec, "version": self.version, "hash": self.hash}


def identify(spec: Any, agent: Agent) -> Identity:
    """Return name, version and hash of an agent that was loaded from a spec."""
    text = str(spec) if isinstance(spec, str | Path) else f"{type(agent).__module__}:{type(agent).__qualname__}"
    version = str(getattr(agent, "version", "-"))
    digest = hashlib.sha256(f"{text} {version} {VERSION}".encode())
    path = Path(text)
    if text not in BUILT_IN and path.is_file():
        digest = hashlib.sha256(path.read_bytes())
    else:
        module = _module_of(text, agent)
        digest.update(code_hash(module).encode() if module else b"")
    for source in getattr(agent, "sources", ()):
        digest.update(Path(source).read_bytes())
    return Identity(agent.name, text, version, digest.hexdigest()[:HASH_LENGTH])


def _module_of(text: str, agent: Agent) -> str | None:
    """Return the module whose code makes the decisions of an agent."""
    if text in BUILT_IN:
        decide = getattr(agent, "decide", None)
        return str(getattr(decide, "__module__", None) or type(agent).__module__)
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name == text:
            return entry.value.partition(":")[0]
    if text.partition(":")[0] in MAKERS:
        return type(agent).__module__
    return text.partition(":")[0] if ":" in text else None


def code_hash(module: str) -> str:
    """Return a hash of the code of a module and of what it imports from its own distribution; "" without sources."""
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _source_of(name)
        if name in found or path is None:
            continue
        data = path.read_bytes().replace(b"\r\n", b"\n")
        found[name] = data
        top = module.partition(".")[0]
        waiting += [other for other in _imports(data, name) if other.partition(".")[0] == top]
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(name.encode() + b"\0" + _code_of(found[name]).encode() + b"\0")
    return digest.hexdigest() if found else ""


def _source_of(name: str) -> Path | None:
    """Return the source file of a module, None where there is none; nothing but its top package is looked up."""
    top, *rest = name.split(".")
    loaded = sys.modules.get(top)
    spec = getattr(loaded, "__spec__", None)
    if spec is None and loaded is not None:  # a script that is being run
        file = getattr(loaded, "__file__", None)
        return Path(file) if file and not rest else None
    if spec is None:
        try:
            spec = importlib.util.find_spec(top)
        except (ImportError, ValueError):
            return None
    if spec is None:
        return None
    if not spec.submodule_search_locations:
        origin = Path(spec.origin) if spec.origin else None
        return origin if not rest and origin is not None and origin.suffix == ".py" else None
    for folder in spec.submodule_search_locations:
        base = Path(folder, *rest)
        for path in (base.with_name(base.name + ".py") if rest else base / "__init__.py", base / "__init__.py"):
            if path.is_file():
                return path
    return None


@cache
def _imports(data: bytes, name: str) -> tuple[str, ...]:
    """Return every module that a source may import, those inside functions included; names of attributes come along."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return ()
    found: list[str] = []
    package = name.split(".")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*package[: len(package) - node.level], *([node.module] if node.module else [])])
            start = node.module or "" if node.level == 0 else base
            found += [start, *(f"{start}.{alias.name}" for alias in node.names)]
    return tuple(found)


@cache
def _code_of(data: bytes) -> str:
    """Return the tokens of a source without comments, documentation and layout; the text where it has no tokens."""
    try:
        tokens = list(tokenize.tokenize(io.BytesIO(data).readline))
    except (tokenize.TokenError, SyntaxError):
        return data.decode(errors="replace")
    kept: list[str] = []
    open_texts = 0
    for before, token, after in zip([tokens[0], *tokens], tokens, [*tokens[1:], tokens[-1]], strict=False):
        open_texts -= token.type == _TEXT_END
        if open_texts or token.type == _TEXT_END:  # later versions of Python take an f-string apart
            kept[-1] += token.string
        elif token.type in _BLOCKS:
            kept.append(_BLOCKS[token.type])
        elif token.type == tokenize.NEWLINE:
            kept += ["\n"] if kept and kept[-1] not in _EDGES else []
        elif token.type not in _LAYOUT and not _is_documentation(before, token, after):
            kept.append(token.string)
        open_texts += token.type == _TEXT_START
    return " ".join(kept)


def _is_documentation(before: tokenize.TokenInfo, token: tokenize.TokenInfo, after: tokenize.TokenInfo) -> bool:
    """Tell whether a token is a text that stands alone as a statement."""
    alone = before.type in (*_LAYOUT, *_BLOCKS, tokenize.NEWLINE) and after.type == tokenize.NEWLINE
    return token.type == tokenize.STRING and alone
