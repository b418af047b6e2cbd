from app.clients import Client
from app.user import check
print(check(Client()))
