// The least service there is. It throws away what is posted and says that all went well, after some milliseconds: of a catalog
// event without reading it, as if it had so many products as a batch has. It has so many orders in pendiente, made from those of
// a file, and for resend-cli a list of emails.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const [delay, accepted, orders = 0] = process.argv.slice(2, 5).map(Number);
const file = process.argv[5];
const bodies = (file === undefined ? [] : JSON.parse(readFileSync(file, "utf8")).orders).map(
  ({ order_id: _, status: __, ...order }) => JSON.stringify({ status: "pendiente", ...order }).slice(1),
);
const perPage = 20;
const pushed = JSON.stringify({ duplicate: false, accepted, skipped_stale: 0, rejected: [] });
const emails = JSON.stringify({
  object: "list",
  has_more: false,
  data: Array.from({ length: perPage }, (_, n) => ({
    id: `49a3999c-0ce1-4ea6-ab68-${String(n).padStart(12, "0")}`,
    to: ["ana@example.com"],
    from: "Shop <shop@example.com>",
    created_at: "2026-01-03T22:13:42.674981+00:00",
    subject: `Order ${n}`,
    bcc: null,
    cc: null,
    reply_to: null,
    last_event: "delivered",
    scheduled_at: null,
  })),
});

function pageOf({ searchParams }) {
  const page = Number(searchParams.get("page") ?? 1);
  const total = (searchParams.get("status") ?? "pendiente") === "pendiente" ? orders : 0;
  const first = (page - 1) * perPage;
  const here = Array.from(
    { length: Math.max(0, Math.min(perPage, total - first)) },
    (_, n) => `{"order_id":${1001 + first + n},${bodies[n % bodies.length]}`,
  );
  const envelope = `"page":${page},"per_page":${perPage},"total":${total},"has_more":${first + perPage < total}`;
  return `{"orders":[${here.join(",")}],${envelope}}`;
}

let campaigns = 0;
function campaignOf(body) {
  const { recipients, external_ref = null } = JSON.parse(body);
  campaigns += 1;
  const sent = { added: recipients.length, duplicates: 0, errors: [] };
  return JSON.stringify({
    campaign_id: `cmp_${campaigns}`,
    status: "sent",
    campaign_name: "bench",
    external_ref,
    recipients: sent,
    replayed: false,
  });
}

async function answerTo(request) {
  const url = new URL(request.url, "http://localhost");
  const isCampaign = request.method === "POST" && url.pathname.endsWith("/campaigns");
  const chunks = [];
  for await (const chunk of request) if (isCampaign) chunks.push(chunk);
  if (delay > 0) await pause(delay);
  if (isCampaign) return campaignOf(Buffer.concat(chunks).toString("utf8"));
  if (request.method === "POST") return pushed;
  return url.pathname === "/emails" ? emails : pageOf(url);
}

const server = createServer(async (request, response) => {
  const text = await answerTo(request);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
