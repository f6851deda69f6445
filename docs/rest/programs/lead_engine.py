import os

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

url, key = os.environ.get("URL"), os.environ.get("KEY")
if not url or not key:
    raise SystemExit("Set the environment variables URL and KEY.")
api = requests.Session()
api.headers["Authorization"] = f"Bearer {key}"
# It waits as long as Retry-After says. None: POST, too.
retries = Retry(total=5, backoff_factor=1, status_forcelist=[408, 429, 500, 502, 503, 504], allowed_methods=None)
api.mount(url, HTTPAdapter(max_retries=retries))


def request(method, path, body=None, idempotency_key=None):
    headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
    answer = api.request(method, url + path, json=body, headers=headers, timeout=30)
    if not answer.ok:
        raise RuntimeError(answer.text)
    return answer.status_code, answer.json()
