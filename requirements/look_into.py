"""Fail unless the built packages hold what the code loads at run time.

Data files are easily lost in packaging, and an installation from the tree never notices.
"""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "langgraph_memory"


def shipped() -> dict[str, int]:
    """The files of the package that must travel, with their sizes."""
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    return {
        path.relative_to(ROOT).as_posix(): path.stat().st_size
        for path in files
        if not any(part.startswith((".", "__pycache__")) for part in path.parts[len(ROOT.parts) :])
    }


def contents(package: Path) -> dict[str, int]:
    """The names and sizes of the files inside a wheel or a source archive."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return {info.filename: info.file_size for info in wheel.infolist()}
    with tarfile.open(package) as archive:
        return {m.name.partition("/")[2]: m.size for m in archive.getmembers() if m.isfile()}


def main(folder: Path) -> None:
    """Compare each package of a folder with the tree."""
    packages = sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])
    if len(packages) != 2:
        sys.exit(f"{folder} should hold a wheel and a source archive, not {len(packages)} files")
    for package in packages:
        found = contents(package)
        lost = sorted(name for name, size in shipped().items() if found.get(name) != size)
        if lost:
            sys.exit(f"{package.name} lacks {', '.join(lost)}")
        size = package.stat().st_size / 1e6
        print(f"{package.name}: {len(found)} files, {size:.1f} MB, weights and data inside")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
