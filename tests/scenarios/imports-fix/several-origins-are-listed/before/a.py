from pathlib import Path

HOME = Path.home()
