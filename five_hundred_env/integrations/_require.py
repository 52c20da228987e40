"""Say which extra to install where a library is absent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from five_hundred_env.errors import MissingExtraError


@contextmanager
def require(library: str, extra: str) -> Iterator[None]:
    """Turn an import that fails within the block into an error that names the extra.

    ::

        with require("Tianshou", extra="tianshou"):
            from tianshou.data import Batch

    Args:
        library: What the block imports, as people call it.
        extra: The extra of this package that brings it along.

    Raises:
        MissingExtraError: An import failed; the message quotes why.
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(
            f"{library} can not be imported ({error}); install it with: pip install 'five_hundred_env[{extra}]'"
        ) from error
