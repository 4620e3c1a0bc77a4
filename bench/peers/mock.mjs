// The minimum that a custom server would do: parse the page once, JSON.stringify it at each GET, and check each item
// of a catalog event with zod before it is kept.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as z from "zod";

const [port, file] = process.argv.slice(2);
const page = JSON.parse(readFileSync(file, "utf8"));
const item = z.object({
  codigo: z.string().min(1).max(64),
  nombre: z.string(),
  categoria: z.string(),
  precio: z.number().min(0),
  deshabilitado: z.boolean(),
});
const catalog = new Map();

function answer(response, value) {
  const text = JSON.stringify(value);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

createServer((request, response) => {
  if (request.method === "GET") {
    answer(response, page);
    return;
  }
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const event = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const rejected = [];
    for (const each of event.items) {
      const parsed = item.safeParse(each);
      if (parsed.success) catalog.set(parsed.data.codigo, parsed.data);
      else rejected.push(each.codigo);
    }
    answer(response, {
      duplicate: false,
      accepted: event.items.length - rejected.length,
      skipped_stale: 0,
      rejected,
    });
  });
}).listen(Number(port), "127.0.0.1");
