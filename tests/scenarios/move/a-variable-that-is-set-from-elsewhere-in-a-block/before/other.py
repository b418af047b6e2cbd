import settings

settings.TIMEOUT, x = 9, 8
