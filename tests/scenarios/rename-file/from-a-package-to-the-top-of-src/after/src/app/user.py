from base import Client
