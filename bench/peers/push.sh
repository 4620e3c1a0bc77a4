#!/bin/sh
# The same with curl and jq: one jq makes a batch a line, one curl sends each of them.
jq --raw-input --null-input --compact-output '
  def batches: foreach (inputs, null) as $line ({items: [], out: null};
    if $line == null then {items: [], out: (if .items == [] then null else .items end)}
    else ($line | split(",")) as [$codigo, $nombre, $categoria, $precio, $deshabilitado]
      | (.items + [{$codigo, $nombre, $categoria, precio: ($precio | tonumber), deshabilitado: ($deshabilitado == "true")}]) as $items
      | if ($items | length) == 500 then {items: [], out: $items} else {items: $items, out: null} end
    end; .out | select(. != null));
  input | batches | {event_id: "curl", occurred_at: (now | todate), action: "upsert", items: .}' "$1" |
  while IFS= read -r body; do
    printf '%s' "$body" | curl --silent --show-error --output /dev/null --header 'content-type: application/json' \
      --header 'x-api-key: bench' --data-binary @- "$2/v1/catalog/items" || exit 1
  done
