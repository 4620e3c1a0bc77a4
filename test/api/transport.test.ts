import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { readProxies } from "../../src/api/proxy.ts";
import { proxiedAgent } from "../../src/api/proxy-agent.ts";
import { send } from "../../src/api/transport.ts";
import { BposError } from "../../src/errors.ts";

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

it("leaves nothing behind of a request that cannot even begin", async () => {
  const agent = proxiedAgent(readProxies({ https_proxy: "socks5://127.0.0.1:1" })!, {});
  const { signal } = new AbortController();
  const before = timers();
  const limits = { timeoutMs: 60_000, maxBytes: 1, signal };
  const request = { method: "GET", origin: "https://api.example.com", path: "/", headers: {} } as const;
  const error: unknown = await send(agent, { ...request, body: undefined, ...limits }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(BposError);
  expect(error).toMatchObject({ reason: "proxy_unusable" });
  expect(timers()).toBe(before);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
