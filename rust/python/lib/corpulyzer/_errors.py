"""Exceptions and warnings."""

from __future__ import annotations


class CorpulyzerError(Exception):
    """The base of all exceptions of this package. Its text is one sentence."""


class SettingError(CorpulyzerError, ValueError):
    """An argument has a value that is not allowed. The sentence has the allowed values."""


class PageError(CorpulyzerError, ValueError):
    """A page cannot be read: it is too long, or in a charset that cannot be decoded."""


class InputError(CorpulyzerError, OSError):
    """A file cannot be read, is damaged, or holds nothing that can be used."""


class InternalError(CorpulyzerError, RuntimeError):
    """The engine failed on an input, which is a fault of this program. Other calls are not affected."""


class InputWarning(UserWarning):
    """Records were skipped, or an input was named twice."""
