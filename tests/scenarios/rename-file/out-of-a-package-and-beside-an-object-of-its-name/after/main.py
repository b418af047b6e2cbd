import pkg
from pkg import config
from a import X

print(config["a"], pkg.config["a"], X)
