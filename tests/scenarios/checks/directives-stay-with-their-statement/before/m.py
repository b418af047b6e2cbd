import subprocess
out = subprocess.run(cmd, shell=True)  # nosec
print(out)
