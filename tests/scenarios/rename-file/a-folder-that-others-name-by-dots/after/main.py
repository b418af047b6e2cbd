import pkg.lib.tools as t
import pkg.lib.k as k

print(t.V(), k.K)
