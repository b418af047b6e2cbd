import app.tools
