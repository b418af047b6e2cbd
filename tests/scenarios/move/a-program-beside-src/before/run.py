from src.app.base import Client
from src.app.user import check
print(check(Client()))
