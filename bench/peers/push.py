"""What a shop's own script would be: csv, json and http.client, one call at a time over one connection."""

import csv
import datetime
import http.client
import json
import sys
import urllib.parse

file, url = sys.argv[1:]
connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
headers = {"Content-Type": "application/json", "X-API-Key": "bench"}


def post(items, batch):
    event = {
        "event_id": f"python-{batch}",
        "occurred_at": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        "action": "upsert",
        "items": items,
    }
    body = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    connection.request("POST", "/v1/catalog/items", body, headers)
    connection.getresponse().read()


with open(file, newline="", encoding="utf-8") as source:
    rows = csv.reader(source)
    next(rows)
    items, batch = [], 0
    for codigo, nombre, categoria, precio, deshabilitado in rows:
        items.append(
            {
                "codigo": codigo,
                "nombre": nombre,
                "categoria": categoria,
                "precio": float(precio),
                "deshabilitado": deshabilitado == "true",
            }
        )
        if len(items) == 500:
            post(items, batch)
            items, batch = [], batch + 1
    if items:
        post(items, batch)
