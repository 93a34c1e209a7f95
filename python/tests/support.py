"""What the tests share: the package, the golden files and the reader of the specification."""

import importlib
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VECTORS = ROOT / "spec" / "vectors"

# Set by .ci/run to the launcher of the command line; tests that need Java run only then.
LAUNCHER = os.environ.get("BELLOWS")

try:
    import bellows
except ImportError:
    sys.path.insert(0, str(HERE.parent))
    import bellows


def load(name):
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def reference():
    """The reader in spec/reference, which follows the specification line by line: another module
    of the same name, so it is loaded with the package out of sight."""
    folder = str(ROOT / "spec" / "reference")
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "bellows"}
    sys.path.insert(0, folder)
    try:
        return importlib.import_module("bellows")
    finally:
        sys.path.remove(folder)
        sys.modules.pop("bellows", None)
        sys.modules.update(hidden)


def golden(known_only=True):
    """The names and bytes of the golden files, of kinds that the package reads."""
    for path in sorted(VECTORS.glob("*.bellows")):
        data = path.read_bytes()
        if not known_only or kind_of(data) in bellows._KINDS:
            yield path.stem, data


def kind_of(data):
    return data[7] if data[:6] == b"\x89BLWSc" else int.from_bytes(data[10:12], "little")


def opened(data, secret=None):
    """A golden filter, with the secret key if it needs one."""
    found = bellows.from_bytes(data)
    return bellows.from_bytes(data, key=secret) if found.scheme.needs_key else found
