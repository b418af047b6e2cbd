from a import y
