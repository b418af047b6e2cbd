"""Says of each source on standard input whether CPython compiles it: `ok`, or its complaint, a line each.

Standard input holds sources as a decimal length, a line feed and that many bytes each.
"""

import sys
import warnings


def verdict(source):
    try:
        compile(source, "<mutant>", "exec", dont_inherit=True)
        return "ok"
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]


def main():
    warnings.simplefilter("ignore")
    source = sys.stdin.buffer
    while length := source.readline():
        print(verdict(source.read(int(length))))


if __name__ == "__main__":
    main()
