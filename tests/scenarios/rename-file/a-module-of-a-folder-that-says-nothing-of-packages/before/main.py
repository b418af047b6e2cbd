from app.tools import tool

print(tool(1))
