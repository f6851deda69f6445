import json
import os
import time

from lead_engine import request

file = "lead-engine.json"
every = float(os.environ.get("EVERY_SECONDS", 60))
check_every = float(os.environ.get("CHECK_EVERY_SECONDS", 86_400))
lists = ["leads", "call-logs"]
store = {"leads": {}, "call-logs": {}, "cursors": {}, "checked": 0}
if os.path.exists(file):
    with open(file) as saved:
        store = json.load(saved)


def read(name, cursor=""):
    """Without a cursor, reads everything, and removes what the service no longer has. Returns the next cursor."""
    items = store[name]
    missing = set() if cursor else set(items)
    more = True
    while more:
        query = f"limit=500&updated_since=1900-01-01T00:00:00Z&cursor={cursor}"
        _, page = request("GET", f"/{name}?{query}")
        for item in page["data"]:
            missing.discard(item["id"])
            if item != items.get(item["id"]):
                items[item["id"]] = item
                print(name, json.dumps(item), flush=True)
        more = page["pagination"]["has_more"]
        cursor = page["pagination"]["next_cursor"]
    for id in missing:
        del items[id]
        print(name, "deleted", id, flush=True)
    return cursor


def sync():
    is_check = time.time() - store["checked"] >= check_every
    for name in lists:
        store["cursors"][name] = read(name, "" if is_check else store["cursors"][name])
    if is_check:
        store["checked"] = time.time()
    with open(f"{file}.new", "w") as new:
        json.dump(store, new)
    os.replace(f"{file}.new", file)


while True:
    try:
        sync()
    except Exception as error:
        print(error, flush=True)
    time.sleep(every)
