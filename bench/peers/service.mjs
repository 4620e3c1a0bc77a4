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

/** Campaigns: the reference of each, and the phones that are listed of it. */
const campaigns = [];
function campaignOf(body) {
  const { recipients, external_ref = null } = JSON.parse(body);
  campaigns.push({
    external_ref,
    people: recipients.length,
    phones: recipients.slice(0, 100).map(({ phone }) => phone),
  });
  const sent = { added: recipients.length, duplicates: 0, errors: [] };
  return JSON.stringify({
    campaign_id: `cmp_${campaigns.length}`,
    status: "sent",
    campaign_name: "bench",
    external_ref,
    recipients: sent,
    replayed: false,
  });
}

const at = (minute) => `2026-01-03T12:${minute}:00-03:00`;
function statusOf(id) {
  const { external_ref, people, phones } = campaigns[id.slice(4) - 1];
  const times = { sent_at: at(10), delivered_at: at(11), read_at: at(12), responded_at: "" };
  return JSON.stringify({
    campaign_id: id,
    status: "sent",
    external_ref,
    counts: {
      total_recipients: people,
      pending: 0,
      sent: people,
      failed: 0,
      delivered: people,
      read: people,
      responded: 0,
    },
    recipients: phones.map((phone) => ({ phone, status: "read", ...times, error_message: "" })),
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
  const [, campaign] = /\/campaigns\/(cmp_\d+)$/.exec(url.pathname) ?? [];
  if (campaign !== undefined) return statusOf(campaign);
  return url.pathname === "/emails" ? emails : pageOf(url);
}

const server = createServer(async (request, response) => {
  const text = await answerTo(request);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
