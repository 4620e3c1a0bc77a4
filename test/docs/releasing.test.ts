import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { publication, refusePublication } from "../../scripts/release/about.ts";
import { root } from "../support/run.ts";
import { sized } from "../support/soak.ts";

it("nothing is released to a repository that is nobody's", () => {
  expect(refusePublication({ repository: "https://github.com/acme/bpos" })).toBeUndefined();
  const refusal = refusePublication({ repository: "https://github.com/OWNER/bpos" });
  expect(refusal).toContain("https://github.com/OWNER/bpos is nobody's repository.");
});

it
  .runIf(refusePublication(publication) !== undefined)
  .each([[["--seal"]], [[]], [["--own-node", "linux-x64"]]].slice(0, sized(1, 3)))(
  "the script refuses while it is not decided, whatever it is to do: %j",
  (flags) => {
    const line = ["--import", "tsx", "scripts/release/release.ts", ...flags];
    const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd: root, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(`${refusePublication(publication)}\n`);
  },
);

it("the workflow attests every file before any of them is published", () => {
  const [, publish = ""] = readFileSync(join(root, ".github/workflows/release.yml"), "utf8").split(
    /^ {2}publish:$/m,
  );
  const at = (text: string): number => publish.indexOf(text);
  expect(publish).toMatch(/attest-build-provenance@.*\n\s+with:\n\s+subject-path: release\/\*\*\n/);
  expect(publish).toContain("attestations: write");
  expect(at("--seal")).toBeLessThan(at("attest-build-provenance"));
  expect(at("attest-build-provenance")).toBeLessThan(at("npm publish"));
  expect(at("attest-build-provenance")).toBeLessThan(at("gh release create"));
});
