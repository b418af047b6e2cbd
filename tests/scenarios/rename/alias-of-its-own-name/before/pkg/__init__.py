from .m import x as x
