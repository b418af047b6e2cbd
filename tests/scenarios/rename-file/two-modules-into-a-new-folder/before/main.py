import app.tools
import helpers

print(helpers.V, app.tools.f())
