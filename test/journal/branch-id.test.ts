import { expect, it } from "vitest";
import { branchId } from "../../src/journal/records/branches.ts";

const key = "bpk_1";
const idOf = (address: string, { apiKey = key, world }: { apiKey?: string; world?: string } = {}): string =>
  branchId({ address, world, apiKey });

it("a branch is its key, however the address is spelled, and whatever it is called", () => {
  const branch = idOf("https://x.test/messaging");
  for (const address of [
    ...[
      "https://x.test",
      "http://x.test:8080//messaging/",
      "HTTPS://X.test:443",
      "https://new.example.org/api",
    ],
    ...["http://10.0.0.7:4010", "https://localhost.example.org", "https://127.0.0.1.example.org"],
  ])
    expect(idOf(address)).toBe(branch);
  expect(idOf("https://x.test", { apiKey: "bpk_2" })).not.toBe(branch);
  expect(branch).toMatch(/^[0-9a-f]{32}$/);
});

it("on loopback the port counts too, and no spelling of the host", () => {
  const branch = idOf("http://127.0.0.1:4010");
  for (const host of [
    "localhost",
    "LOCALHOST.",
    "[::1]",
    "127.1",
    "[::ffff:127.0.0.1]",
    "demo.localhost",
    "2130706433",
  ])
    for (const path of ["", "/messaging", "//messaging/"])
      expect(idOf(`http://${host}:4010${path}`)).toBe(branch);
  expect(idOf("http://127.0.0.1:4011")).not.toBe(branch);
  expect(idOf("https://x.test:4010")).not.toBe(branch);
  expect(idOf("https://localhost")).toBe(idOf("http://127.0.0.1:443"));
});

it("where a world is named it counts, and the address does not", () => {
  const branch = idOf("http://127.0.0.1:4010", { world: "w1" });
  expect(idOf("https://tunnel.example.org/x", { world: "w1" })).toBe(branch);
  for (const other of [
    idOf("http://127.0.0.1:4010", { world: "w2" }),
    idOf("http://127.0.0.1:4010"),
    idOf("https://x.test"),
  ])
    expect(other).not.toBe(branch);
  expect(idOf("http://127.0.0.1:4010", { world: "w1", apiKey: "bpk_2" })).not.toBe(branch);
});
