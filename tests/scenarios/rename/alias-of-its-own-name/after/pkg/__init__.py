from .m import width as width
