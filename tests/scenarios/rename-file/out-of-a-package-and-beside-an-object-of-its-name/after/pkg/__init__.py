from .settings import config
