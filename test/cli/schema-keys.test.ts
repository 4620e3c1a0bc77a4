import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownKeys, repeatedKeys } from "../../scripts/schema-keys.ts";
import { phone, send } from "../support/campaigns.ts";
import { journalOf } from "../support/journal.ts";
import { settled } from "../support/push.ts";
import { fixture, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

/**
 * Keys whose value comes from the service or a file, has the names of columns, or needs another process or a reply: what is below is not
 * compared.
 */
const foreign =
  /^campaign status campaigns$|^journal status locks$|\.(?:behind|standby)$|[. ](?:orders|first|mapping|counts|diff|changes\[\]\.fields|prices_to_zero\.first|deactivated|replies)$|\bcampaigns\[\]\.(?:counts|recipients)$/;
const isBelow = (command: string, key: string): boolean =>
  Array.from(key.matchAll(/\[\]|\./g), ({ index }) => key.slice(0, index)).some((parent) =>
    foreign.test(`${command} ${parent}`),
  );

/** Every key of a document, with a dot for each level. */
function keysOf(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => keysOf(each, `${at}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const path = at === "" ? name : `${at}.${name}`;
    return [path, ...keysOf(each, path)];
  });
}

it("the schema of a command declares every key that the command prints, and no other", {
  timeout: 120_000,
}, async () => {
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
  const station = ["profile", "station", "add"];
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
    "campaign optout import": [["campaign", "optout", "import", people]],
    "campaign optout list": [["campaign", "optout", "list"]],
    "campaign optout review": [["campaign", "optout", "review"]],
    "campaign optout export": [["campaign", "optout", "export", "out.csv"]],
    "campaign optout remove": [["campaign", "optout", "remove", phone(1), "--reason", "asked"]],
    "profile list": [["profile", "list"]],
    "profile show": [["profile", "show"]],
    doctor: [["doctor"]],
    "journal status": [["journal", "status"]],
    "journal prune": [["journal", "prune", "--dry-run"]],
    status: [["status"]],
    "orders forget": [["orders", "forget", "--output", "exec", "--yes"]],
    "profile station add": [
      [...station, "kitchen", "--printer", "lp:A", "--category", "Pizzas", "--copies", "2"],
      [...station, "bar", "--printer", "lp:B", "--everything"],
    ],
    "profile station list": [["profile", "station", "list"]],
    "printer stations": [["printer", "stations"]],
    "profile station remove": [["profile", "station", "remove", "bar"]],
    "profile rename": [["profile", "rename", "a", "b"]],
    "profile use": [["profile", "use", "b"]],
    "profile remove": [["profile", "remove", "b", "--yes"]],
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
    const repeated = new Set(repeatedKeys(command));
    const own = [...real].filter((key) => !repeated.has(key) && !isBelow(command, key));
    const declared = ownKeys(command).filter((key) => !isBelow(command, key));
    expect(own.sort(), command).toEqual(declared.sort());
  }
});
