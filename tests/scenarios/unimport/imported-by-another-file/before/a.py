from x import y
