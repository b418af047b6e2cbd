import pkg
from pkg import config
from pkg.a import X

print(config["a"], pkg.config["a"], X)
