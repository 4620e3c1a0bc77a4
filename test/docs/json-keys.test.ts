import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { phone, send } from "../support/campaigns.ts";
import { journalOf } from "../support/journal.ts";
import { settled } from "../support/push.ts";
import { fixture, root, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

/** The keys that the page has for a command: each first cell of the table below its heading. */
function documented(command: string): string[] {
  const page = readFileSync(join(root, "docs/reference/output.md"), "utf8");
  const section = page.split(`\n### \`${command}\`\n`)[1]?.split(/\n##/)[0] ?? "";
  const cells = [...section.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, key = ""]) => key)).sort();
}

/** Keys that are described elsewhere: from the service, from a file, or by the names of columns. */
const foreign =
  /^(orders|first|mapping|counts|diff)$|^changes\[\]\.fields$|\bcampaigns\[\]\.(counts|recipients)$|^prices_to_zero.first$|^deactivated$|^settings\[\]\.value$/;

/** Lists whose elements are what another command prints. */
const like: Readonly<Record<string, [prefix: string, command: string]>> = {
  "catalog history": ["pushes[].", "catalog push"],
  "campaign list": ["sends[].", "campaign send"],
};

/** Every key of a document, with a dot for each level. */
function keysOf(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => keysOf(each, `${at}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const path = at === "" ? name : `${at}.${name}`;
    return [path, ...(foreign.test(path) ? [] : keysOf(each, path))];
  });
}

it("docs/reference/output.md has every key of what commands print as JSON, and no other", async () => {
  const { mock, env } = await service({ scenario: "empty" });
  await mock.control.placeOrders({ count: 1 });
  const folder = temporaryFolder();
  const home = temporaryFolder();
  const run = shell({ env: { ...env, BPOS_HOME: home }, cwd: folder });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    settled(join(folder, name));
    return name;
  };
  const prices = write("prices.csv", "codigo,nombre,precio\nA,Agua,1\nB,Pan,x\nC,Vino,\nD,Dulce,4\n");
  const changed = write("changed.csv", "codigo,nombre,precio\nA,Agua,2\n");
  const fresh = write("fresh.csv", "codigo,nombre,precio\nA,Agua,3\nF,Flan,3\n");
  const rows = [1, 2, 2].map((n) => `${phone(n)},Ana,7`);
  const lines = Array.from({ length: 10_001 }, (_, n) => `${n}`);
  const manyCodes = write("many.csv", `codigo\n${lines.join("\n")}\n`);
  const people = write(
    "people.csv",
    `telefono,nombre,pedido\n${[...rows, "no phone,Eva,8", `${phone(3)},Zoë,9`, "+5491155550000,Leo,1"].join("\n")}\n`,
  );
  const optedOut = write("bajas.txt", `${phone(3)}\n`);
  const sending = [...send(people, "--yes", "--ref", "enero"), "--exclude", optedOut];
  const workbook = fixture("input/hidden-rows.xlsx");
  const runs: Readonly<Record<string, string[][]>> = {
    "orders list": [
      ["orders", "list"],
      ["orders", "list", "--all"],
    ],
    "catalog check": [
      ["catalog", "check", prices, "--fixed", "fixed.csv"],
      ["catalog", "check", workbook],
    ],
    "catalog push": [
      ["catalog", "push", prices, "--dry-run"],
      ["catalog", "push", prices, "--rejected", "rejected.csv"],
      ["catalog", "push", changed, "--changed-only", "--deactivate-missing", "--max-deactivate", "2"],
      ["catalog", "push", fresh],
      ["catalog", "undo", "--dry-run"],
      ["catalog", "undo", "--yes"],
      ["catalog", "delete", "A"],
      ["catalog", "delete", "--file", manyCodes],
    ],
    "catalog diff": [["catalog", "diff", prices]],
    "catalog history": [["catalog", "history"]],
    "campaign send": [
      [...sending, "--dry-run", "--at", "2h"],
      [...sending, "--errors", "errors.csv"],
      [...sending, "--test-to", phone(9)],
      [...send(people, "--dry-run"), "--only-failed-of", "enero"],
    ],
    "campaign list": [["campaign", "list"]],
    "campaign status": [["campaign", "status", "--ref", "enero"]],
    "campaign find": [["campaign", "find", phone(1)]],
    "campaign optout": [
      ["campaign", "optout", "import", people],
      ["campaign", "optout", "list"],
      ["campaign", "optout", "review"],
      ["campaign", "optout", "export", "out.csv"],
      ["campaign", "optout", "remove", phone(1), "--reason", "asked"],
    ],
    "profile list": [["profile", "list"]],
    "profile show": [["profile", "show"]],
    doctor: [["doctor"]],
    "journal status": [["journal", "status"]],
    status: [["status"]],
  };
  await run(["profile", "add", "a", "--no-check", "--api-key-file", "-", "--base-url", mock.baseUrl], {
    stdin: "bpk_x",
  });
  const fails = "exit 1";
  await run(["orders", "watch", "--once", "-q", "--exec", fails]);
  for (const [command, lines] of Object.entries(runs)) {
    const real = new Set<string>();
    // A send that is unfinished.
    if (command === "status") {
      await mock.control.addFault("POST /campaigns status=502 times=1");
      await run([...send(people, "--yes", "--ref", "febrero"), "--retries", "0", "--allow-repeat"]);
    }
    // By then the message to the phone that ends in 0000 has failed.
    if (command === "campaign status") await mock.control.moveClock({ advance_ms: 3_600_000 });
    if (command === "campaign find") {
      await run(["campaign", "optout", "add", phone(1)]);
      await run(send(people, "--yes", "--ref", "marzo", "--allow-repeat"));
      const { optOuts } = await journalOf(home);
      await optOuts.doubt({ phone: phone(8), at: 1, text: "baja?" });
    }
    for (const argv of lines) {
      const { stdout, stderr } = await run([...argv, "--json"]);
      expect(stdout, `${argv.join(" ")}: ${stderr}`).toMatch(/^\{/);
      for (const key of keysOf(JSON.parse(stdout))) real.add(key);
    }
    const [prefix, other] = like[command] ?? ["", ""];
    const known = documented(other).map((key) => prefix + key);
    expect(documented(command), command).toEqual([...real].filter((key) => !known.includes(key)).sort());
  }
});
