// The smallest program that lists all orders: bare undici, eight pages in flight, no checks.
import { Pool } from "undici";

const pool = new Pool(process.argv[2], { connections: 8, pipelining: 1 });
const headers = { "x-api-key": "bench" };
async function pageOf(page) {
  const path = `/v1/orders?status=pendiente&page=${page}`;
  const { body } = await pool.request({ method: "GET", path, headers });
  return body.json();
}

const { orders, total, per_page: perPage } = await pageOf(1);
const pages = [orders];
let next = 2;
const worker = async () => {
  while ((next - 1) * perPage < total) {
    const page = next++;
    pages[page - 1] = (await pageOf(page)).orders;
  }
};
await Promise.all(Array.from({ length: 8 }, worker));
await pool.close();
process.stdout.write(JSON.stringify({ orders: pages.flat() }));
