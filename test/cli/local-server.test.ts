import { createServer } from "node:http";
import { expect, it } from "vitest";
import { startServer } from "../../src/cli/session/local-server.ts";

it("a server lives on while no connection can be accepted", async () => {
  const server = createServer((_, outgoing) => outgoing.end("here"));
  const system = { findListener: () => Promise.resolve(undefined) };
  const { port, close } = await startServer(server, { host: "127.0.0.1", port: 0 }, system);
  // Node does so in a process that has no file descriptor left.
  for (let n = 0; n < 2; n += 1) server.emit("error", new Error("accept EMFILE"));
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("here");
  await close(0);
});
