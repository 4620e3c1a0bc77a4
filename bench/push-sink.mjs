// The least service there is: it throws a catalog event away and says that all went well, after some milliseconds. The answer
// always speaks of as many products as a batch has, so that nothing is parsed here; a GET is the question for the clock.
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const [delay, accepted] = process.argv.slice(2).map(Number);
const page = JSON.stringify({ orders: [], page: 1, per_page: 20, total: 0, has_more: false });
const answer = JSON.stringify({ duplicate: false, accepted, skipped_stale: 0, rejected: [] });

const server = createServer(async (request, response) => {
  for await (const _ of request);
  if (delay > 0) await pause(delay);
  const text = request.method === "GET" ? page : answer;
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
