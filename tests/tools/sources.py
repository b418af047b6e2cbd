"""Fetches the files of others that the sweep reads: of pinned packages, those whose language the tool knows.

`FOLDER/sources/PACKAGE-VERSION` then holds a package's files as they are in it, and `FOLDER/earlier/PACKAGE-VERSION` those of
an earlier version of some of them: what their authors changed in between are real edits. What a package came as is held to the hash
below, so that every machine reads the same; the crates are those of `Cargo.lock`, which has their hashes. Nothing of a
package is run.
"""

import hashlib
import io
import json
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).absolute().parents[2]

# Chosen for variety: pages and templates, mathematics, an application framework.
WHEELS = {
    "Django==5.2.8": "37e687f7bd73ddf043e2b6b97cfe02fcbb11f2dbb3adccc6a2b18c6daa054d7f",
    "sympy==1.14.0": "e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5",
}
# Of npm itself because its authors leave semicolons out; of TypeScript because its compiler judges, too.
NODE_PACKAGES = {
    "npm@11.6.2": "585f95094ee5cb2788ee11d90f2a518a7c9ef6e083fa141d0b63ca3383675a20",
    "pyodide@0.29.0": "52ea0e976b6e8373ef911f21cb3751ea50b03eb423b093fbfa21ffc27e842f01",
    "react-native@0.71.19": "8b5df2cadd2302913ff30a0546c3f521834a2df98e47034b351cef329d4c5ea6",
    "rxjs@7.8.2": "2312f8ffd9726ffd7bd53ea12c5f13663d09a3dc3326f448c70b88f5ef6fac82",
    "typescript@5.9.3": "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3",
    "zod@3.25.76": "9e1f1a05f0dd0c1dab64ee91ceb9bf55cd44d35368c70edda80a2fdc70a88377",
}
# Of these only files of languages that are seldom in packages: PHP, Kotlin, Swift, C++, C#, Bash.
NATIVE_PACKAGES = {
    "@wordpress/block-library@11.1.0": "a5c93e9fc29de2ed89bf6632e59ac6a1e458063e536db88d880d3766214b31d5",
    "bats@1.11.0": "a41b89d37539cf0829809c23c1eef170b262c16fbe875039bd9abd76ad4dd839",
    "expo-modules-core@1.12.26": "6b1a51222c4c08dfe001f8e0dcf29001342202cef3ee840a415b173030d6cf23",
    "react-native-windows@0.72.0": "28e916506b2e6963467c17395a7fcf9ca74315b4f31c9b82f31ad04a2c0f5fef",
}
# Of these only style sheets: sources in CSS, SCSS and Less, and what some of them come to.
STYLE_PACKAGES = {
    "animate.css@4.1.1": "c51565d3706f687a14b5d919a9743a2feb45d7b7915823d67e6a3ab30759fa75",
    "bootstrap@5.3.3": "38cee936dbd80138de6775683149f22e9226fc2d654392337a921f53000c789e",
    "bootstrap-less@3.3.8": "bea66164da6e5710d7ecf7579031e9ee01aec5071998b51e0873b33c32600f05",
    "font-awesome@4.7.0": "92042b715919e17499ded134884b0318fd88041efac9b0f3204069df52222a61",
    "foundation-sites@6.8.1": "be72848040f30667c94901ea9f9181b864b31169b99abcac2053cfc1a5b2bd2b",
    "@primer/css@21.3.6": "42d109752d79957f104529bc26fce966da403e6ec1ad4bd893adae80354a5bd6",
    "semantic-ui-less@2.5.0": "f1616677710d1f433a2d14b4b2cbef922f48d5a1fc4d80143215ca917942aaa9",
}
# Earlier versions of some of them.
EARLIER_WHEELS = {
    "Django==5.1.14": "2a4b9c20404fd1bf50aaaa5542a19d860594cba1354f688f642feb271b91df27",
}
EARLIER_NODE_PACKAGES = {
    "npm@11.4.0": "2fb3b387ffd725d30ed2e4657b6afb3c62bc725107abaae5fcdaac12f7b7244f",
    "react-native@0.71.0": "1b84951604c1dc1725423dd4b8f005f26e90cc326a88ac19a6136f939e917d13",
    "zod@3.25.0": "cc9fe9b6cdd220f5650edd26bb53d933cb26bafd1edfda662c6046665681f138",
}
# CPython's standard library, as a package for browsers brings it along.
STANDARD_LIBRARY = ("package/python_stdlib.zip", "cpython-3.13")
ENDINGS = (
    ".cjs .cts .go .htm .html .java .jinja .jinja2 .js .json .jsx .lock .md .mjs .mts .py .pyi .rs .toml .ts .tsx .yaml .yml"
).split()
NATIVE_ENDINGS = ".bash .c .cc .cpp .cs .dart .h .hpp .kt .kts .lua .php .rb .scala .sh .swift".split()
STYLE_ENDINGS = ".css .less .scss".split()
# Larger ones are tables that a program wrote.
LARGEST_NATIVE = 200_000


def fetch(folder, pip, npm, run, missing):
    """Fetches what is not there yet; says in `missing` what could not be had, and why."""
    for of, wheels, node_packages in (
        ("sources", WHEELS, NODE_PACKAGES),
        ("earlier", EARLIER_WHEELS, EARLIER_NODE_PACKAGES),
    ):
        for requirement, digest in wheels.items():
            home = home_of(folder / of, requirement.replace("==", "-"))
            if not home.exists():
                failure = fetch_wheel(home, requirement, digest, pip, run)
                missing.update({requirement: failure} if failure else {})
        for package, digest in node_packages.items():
            home = home_of(folder / of, package.replace("@", "-"))
            if not home.exists():
                failure = fetch_node_package(home, package, digest, npm, run)
                missing.update({package: failure} if failure else {})
    for packages, keeps in ((NATIVE_PACKAGES, is_native), (STYLE_PACKAGES, is_style)):
        for package, digest in packages.items():
            home = home_of(folder / "sources", package.replace("@", "-").replace("/", "-").lstrip("-"))
            if not home.exists():
                failure = fetch_node_package(home, package, digest, npm, run, keeps)
                missing.update({package: failure} if failure else {})
    if not is_current(folder):
        failure = copy_crates(folder)
        missing.update({"crates": failure} if failure else {})


def is_current(folder):
    """Says whether the crates are those of `Cargo.lock`."""
    stamp = folder / "sources/crates.stamp"
    return stamp.exists() and stamp.read_text() == lock_hash()


def lock_hash():
    return hashlib.sha256((ROOT / "Cargo.lock").read_bytes()).hexdigest()


def home_of(folder, name):
    return folder / name.lower()


def fetch_wheel(home, requirement, digest, pip, run):
    with tempfile.TemporaryDirectory(dir=home_parent(home)) as scratch:
        wanted = pathlib.Path(scratch) / "wanted.txt"
        wanted.write_text(f"{requirement} --hash=sha256:{digest}\n")
        only = ["--only-binary", ":all:", "--no-deps", "--no-cache-dir"]
        failure = run(*pip, "download", *only, "--dest", scratch, "-r", wanted)
        wheel = next(pathlib.Path(scratch).glob("*.whl"), None)
        if wheel is None:
            return failure or "nothing came"
        with zipfile.ZipFile(wheel) as archive:
            keep_zip(archive, pathlib.Path(scratch) / "unpacked")
        (pathlib.Path(scratch) / "unpacked").rename(home)
    return ""


def fetch_node_package(home, package, digest, npm, run, keeps=None):
    with tempfile.TemporaryDirectory(dir=home_parent(home)) as scratch:
        scratch = pathlib.Path(scratch)
        failure = run(*npm, "pack", "--ignore-scripts", "--fetch-retries=1", "--pack-destination", scratch, package)
        packed = next(scratch.glob("*.tgz"), None)
        if packed is None:
            return failure or "nothing came"
        if hashlib.sha256(packed.read_bytes()).hexdigest() != digest:
            return "it is not what it was: its hash is another"
        with tarfile.open(packed) as archive:
            keep_tar(archive, scratch / "unpacked", keeps or is_kept)
            (scratch / "unpacked").mkdir(exist_ok=True)
            inner, name = STANDARD_LIBRARY
            if inner in archive.getnames():
                with zipfile.ZipFile(io.BytesIO(archive.extractfile(inner).read())) as library:
                    keep_zip(library, scratch / "unpacked" / name)
        (scratch / "unpacked").rename(home)
    return ""


def home_parent(home):
    home.parent.mkdir(exist_ok=True)
    return home.parent


def keep_zip(archive, folder):
    for name in archive.namelist():
        if is_kept(name, archive.getinfo(name).file_size):
            write(folder / name, archive.read(name))


def keep_tar(archive, folder, keeps):
    for member in archive:
        if member.isfile() and keeps(member.name, member.size):
            write(folder / member.name, archive.extractfile(member).read())


def is_kept(name, size):
    path = pathlib.PurePosixPath(name)
    is_wanted = path.suffix in ENDINGS or path.name.startswith(".")
    return is_native(name, size) or is_inside(path) and is_wanted


def is_native(name, size):
    path = pathlib.PurePosixPath(name)
    return is_inside(path) and path.suffix in NATIVE_ENDINGS and size <= LARGEST_NATIVE


def is_style(name, size):
    path = pathlib.PurePosixPath(name)
    is_written = path.suffix in STYLE_ENDINGS and not name.endswith(".min.css")
    return is_inside(path) and is_written and size <= LARGEST_NATIVE


def is_inside(path):
    return not path.is_absolute() and ".." not in path.parts and "\n" not in str(path)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def copy_crates(folder):
    """Copies from cargo's registry folder what `Cargo.lock` names, and nothing else that may lie there."""
    asked = ["cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", ROOT / "Cargo.toml"]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return str(error)
    crates = folder / "sources/crates"
    shutil.rmtree(crates, ignore_errors=True)
    for package in json.loads(told.stdout)["packages"]:
        if not (package["source"] or "").startswith("registry+"):
            continue
        source = pathlib.Path(package["manifest_path"]).parent
        home = crates / f"{package['name']}-{package['version']}"
        for path in sorted(source.rglob("*")):
            name = path.relative_to(source).as_posix()
            if not path.is_file() or path.is_symlink() or name == ".cargo-ok":
                continue
            if is_kept(name, path.stat().st_size):
                write(home / name, path.read_bytes())
    (folder / "sources/crates.stamp").write_text(lock_hash())
    return ""
