class Config:
    timeout = 5
    host = 'localhost'
    retries = 1
