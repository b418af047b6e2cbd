import app
from app.tools import tool

print(tool(1), app.X)
