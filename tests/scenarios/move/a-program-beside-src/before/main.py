from app.base import Client
from app.user import check
print(check(Client()))
