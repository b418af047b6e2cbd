from .tools import helper as helper
