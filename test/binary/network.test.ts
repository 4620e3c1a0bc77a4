import { rootCertificates } from "node:tls";
import { expect, it } from "vitest";
import { runBinary } from "../support/binary.ts";
import { fixture, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";
import { soakIt } from "../support/soak.ts";
import { caFile, secureServer } from "../support/tls.ts";

it("trusts NODE_EXTRA_CA_CERTS, beside another --ca-file too", async () => {
  const { port } = await secureServer({ orders: [], page: 1, per_page: 20, total: 0, has_more: false });
  const certificates = { BPOS_HOME: temporaryFolder(), NODE_EXTRA_CA_CERTS: caFile() };
  const env = { ...pointedAt(`https://localhost:${port}`), ...certificates };
  for (const flags of [[], ["--ca-file", caFile(rootCertificates[0])]])
    expect(await runBinary(["orders", "list", "--json", ...flags], { env })).toMatchObject({
      code: 0,
      stderr: "",
    });
});

soakIt("takes no zone in which no time can be written, and ends with 2", async () => {
  const env = { BPOS_HOME: temporaryFolder(), BPOS_LANG: "en" };
  const push = ["--mock", "catalog", "push", fixture("catalog.csv"), "--json"];
  const bad = await runBinary(push, { env: { ...env, TZ: "UTC+99" } });
  expect([bad.code, bad.stdout]).toEqual([2, ""]);
  expect(bad.stderr).toContain("TZ=UTC+99 is not a valid time zone.");
  // A zone that no system knows is UTC to it, and far east or west is a zone.
  for (const TZ of ["Nowhere/Land", "UTC+15"])
    expect([TZ, (await runBinary(push, { env: { ...env, TZ } })).code]).toEqual([TZ, 3]);
});
