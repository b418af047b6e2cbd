"""The rules of this house: the service never reads the terminal. One line for each breach, as gcc writes them."""

import sys

breaches = 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if "input(" in line:
                print(f"{path}:{number}:{line.index('input(') + 1}: error: nobody sits at the terminal [H001]")
                breaches += 1
sys.exit(1 if breaches else 0)
