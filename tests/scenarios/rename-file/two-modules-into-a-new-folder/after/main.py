import app.util.tools
import app.util.helpers as helpers

print(helpers.V, app.util.tools.f())
