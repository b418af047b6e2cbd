from src.app.clients import Client
from src.app.user import check
print(check(Client()))
