import settings


def configure(t): settings.TIMEOUT = t


configure(9)
print(settings.get())
