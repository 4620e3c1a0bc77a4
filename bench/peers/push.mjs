// The least program that pushes a price list: csv-parse in arrays, JSON.stringify, POST with keep-alive, 500 a batch, and
// nothing else: it checks nothing, keeps nothing, and could not be run a second time.
import { createReadStream } from "node:fs";
import { Agent, request } from "node:http";
import { parse } from "csv-parse";

const [file, url] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { "content-type": "application/json", "x-api-key": "bench" };

function post(items, batch) {
  const event = {
    event_id: `bare-${batch}`,
    occurred_at: new Date().toISOString(),
    action: "upsert",
    items,
  };
  const body = Buffer.from(JSON.stringify(event));
  return new Promise((resolve, reject) => {
    const options = { method: "POST", agent, headers: { ...headers, "content-length": body.length } };
    const call = request(`${url}/v1/catalog/items`, options, (response) => {
      response.resume().on("end", resolve);
    });
    call.on("error", reject).end(body);
  });
}

let batch = 0;
let items = [];
const rows = createReadStream(file).pipe(parse({ from_line: 2 }));
for await (const [codigo, nombre, categoria, precio, deshabilitado] of rows) {
  items.push({ codigo, nombre, categoria, precio: Number(precio), deshabilitado: deshabilitado === "true" });
  if (items.length < 500) continue;
  await post(items, batch++);
  items = [];
}
if (items.length > 0) await post(items, batch);
agent.destroy();
