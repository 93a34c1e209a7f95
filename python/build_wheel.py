"""Builds the wheel of this package with the standard library alone.

A package of a few Python files does not need a build tool, and without one `pip install ./python`
works on a machine without a network: pip would otherwise download setuptools into a clean
environment. The functions are the hooks that pip calls (PEP 517, PEP 660).
"""

import base64
import hashlib
import io
import os
import pathlib
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TEXT = (HERE / "pyproject.toml").read_text(encoding="utf-8")


def _field(name):
    return re.search(r'^%s = "(.*)"$' % name, TEXT, re.MULTILINE).group(1)


NAME, VERSION = _field("name"), _field("version")
STEM = "%s-%s" % (NAME, VERSION)


def _metadata():
    needs = re.findall(r'"([^"]+)"', re.search(r"^dependencies = \[(.*)\]$", TEXT, re.MULTILINE).group(1))
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + NAME,
        "Version: " + VERSION,
        "Summary: " + _field("description"),
        "License: Apache-2.0",
        "Requires-Python: " + _field("requires-python"),
    ]
    lines += ["Requires-Dist: " + need for need in needs]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text(encoding="utf-8")]
    return "\n".join(lines)


def _write(path, files):
    """A wheel with these files, and a record of their digests."""
    info = STEM + ".dist-info/"
    files = dict(files)
    files[info + "METADATA"] = _metadata().encode()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: bellows\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    rows = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append("%s,sha256=%s,%d" % (name, digest, len(data)))
    files[info + "RECORD"] = ("\n".join(rows + [info + "RECORD,,"]) + "\n").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            wheel.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return os.path.basename(path)


def _wheel(folder, files):
    return _write(os.path.join(folder, STEM + "-py3-none-any.whl"), files)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in sorted(HERE.glob("bellows/*.py"))}
    return _wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, {"__editable__bellows.pth": (str(HERE) + "\n").encode()})


def build_sdist(sdist_directory, config_settings=None):
    name = STEM + ".tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as out:
        metadata = _metadata().encode()
        entry = tarfile.TarInfo(STEM + "/PKG-INFO")
        entry.size = len(metadata)
        out.addfile(entry, io.BytesIO(metadata))
        paths = ["pyproject.toml", "README.md", "build_wheel.py"]
        paths += [path.relative_to(HERE).as_posix() for part in ("bellows", "tests") for path in sorted(HERE.glob(part + "/*.py"))]
        for path in paths:
            out.add(HERE / path, STEM + "/" + path)
    return name
