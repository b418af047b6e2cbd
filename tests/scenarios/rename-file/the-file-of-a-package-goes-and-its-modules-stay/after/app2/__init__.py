from app import tools
from app.cfg import X
