from .base import Client
