import pkg.cfg
print(pkg.cfg.f())
import pkg.b.tools
print(pkg.b.tools.T)
