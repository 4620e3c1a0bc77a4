import { rootCertificates } from "node:tls";
import { expect, it } from "vitest";
import { runBinary, temporaryFolder } from "../support/run.ts";
import { pointedAt } from "../support/service.ts";
import { caFile, secureServer } from "../support/tls.ts";

it("trusts NODE_EXTRA_CA_CERTS, beside another --ca-file too", async () => {
  const { port } = await secureServer({ orders: [], page: 1, per_page: 20, total: 0, has_more: false });
  const env = {
    ...pointedAt(`https://localhost:${port}`),
    BPOS_HOME: temporaryFolder(),
    NODE_EXTRA_CA_CERTS: caFile(),
  };
  const list = ["orders", "list", "--json"];
  const [alone, both] = await Promise.all([
    runBinary(list, { env }),
    runBinary([...list, "--ca-file", caFile(rootCertificates[0])], { env }),
  ]);
  expect(alone).toMatchObject({ code: 0, stderr: "" });
  expect(both).toMatchObject({ code: 0, stderr: "" });
});
