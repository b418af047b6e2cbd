import json
import store

print(json, store.load())
