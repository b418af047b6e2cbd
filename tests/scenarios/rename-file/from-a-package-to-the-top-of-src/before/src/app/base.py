from .errors import AppError
class Client:
    err = AppError.__name__
