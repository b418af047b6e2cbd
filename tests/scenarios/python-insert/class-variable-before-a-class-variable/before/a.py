class Config:
    timeout = 5
    retries = 1
