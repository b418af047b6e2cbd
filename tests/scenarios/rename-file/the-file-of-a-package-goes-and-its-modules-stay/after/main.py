import app2
from app.tools import tool

print(tool(1), app2.X)
