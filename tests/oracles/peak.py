"""Runs a command and ends as it does; writes to the file named first the most memory that it had, in KiB."""

import os
import resource
import subprocess
import sys

ended = subprocess.run(sys.argv[2:])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
with open(sys.argv[1], "w") as out:
    out.write(str(peak // 1024 if sys.platform == "darwin" else peak))
if ended.returncode < 0:
    os.kill(os.getpid(), -ended.returncode)
sys.exit(ended.returncode)
