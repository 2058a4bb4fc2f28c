"""The version of the package, read by the build and shown by every face."""

__version__ = "0.1.0"
