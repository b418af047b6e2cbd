class AppError(Exception): pass
