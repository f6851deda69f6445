"""Stands in for the package aenum, which Debian does not have. Generated enums need no more of it."""

from enum import Enum

no_arg = None
__all__ = ["Enum", "no_arg"]
