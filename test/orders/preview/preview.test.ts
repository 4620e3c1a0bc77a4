import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "fast-png";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { startMock } from "../../../src/mock/index.ts";
import { drawOrder } from "../../../src/orders/preview/picture.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { readable } from "../../support/printed.ts";
import { shell } from "../../support/run.ts";
import { service } from "../../support/service.ts";
import { virtualPrinter } from "../../support/virtual-printer.ts";

const folder = mkdtempSync(join(tmpdir(), "bpos-preview-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function kept(content: unknown, name = `layout-${files + 1}.json`): string {
  files += 1;
  const file = join(folder, name);
  writeFileSync(
    file,
    typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );
  return file;
}

const black = Buffer.from(encode({ width: 8, height: 8, data: new Uint8Array(8), depth: 1, channels: 1 }));
kept(black, "logo.png");

describe("bpos printer preview", () => {
  it("draws a sample without a service, in the language of the layout", async () => {
    const layout = kept({
      header: ["LA ÑATA"],
      logo: "logo.png",
      prices: false,
      footer: ["¡Gracias!"],
      lang: "es",
    });
    const run = await shell()(["printer", "preview", "--layout", layout, "--paper", "58"]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toMatch(/^ *[⠀-⣿]+\n[\s\S]*L A {3}Ñ A T A[\s\S]*ENVÍO[\s\S]*COBRAR|C O B R A R/);
    expect(run.stdout).toContain("2 × Pizza muzzarella\n");
    expect(run.stdout).not.toContain("24.500");
    expect(run.stdout).toMatch(/¡Gracias!\n$/);
    const framed = await shell({ terminal: 80 })(["printer", "preview", "--paper", "58"]);
    expect(
      framed.stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.replaceAll(/\u001b\[\d+m/g, "").length),
    ).toEqual(expect.arrayContaining([36]));
  });

  it("draws an order of the service, and writes the picture that the mock's page shows", async () => {
    const mock = await startMock(
      { clock: "2026-02-03T20:00:00-03:00", lang: "es" },
      { drawReceipt: drawOrder },
    );
    onTestFinished(() => mock.close());
    const [order] = await mock.control.placeOrders({ order: { cliente: { nombre: "Íñigo Peña" } } });
    const env = { BPOS_MOCK: mock.baseUrl };
    const id = String(order?.order_id);
    for (const paper of ["58", "80"]) {
      const png = join(folder, `${id}-${paper}.png`);
      const argv = ["printer", "preview", id, "--paper", paper, "--png", png, "--json", "--lang", "es"];
      const run = await shell({ env })(argv);
      expect(run).toMatchObject({ code: 0, stderr: "" });
      const told = JSON.parse(run.stdout) as object;
      expect(told).toMatchObject({
        order_id: order?.order_id,
        paper: Number(paper),
        png,
        width: paper === "58" ? 384 : 576,
      });
      const answer = await fetch(`${mock.baseUrl}/console/receipts/${id}?paper=${paper}`);
      expect(answer.headers.get("content-type")).toBe("image/png");
      expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(png))).toBe(true);
    }
    const page = await (await fetch(`${mock.baseUrl}/console/orders/${id}`)).text();
    expect(page).toContain(`src="/console/receipts/${id}?paper=58&amp;state=pendiente"`);
    expect((await fetch(`${mock.baseUrl}/console/receipts/1`)).status).toBe(404);
  });

  it.each<[unknown, string, object?]>([
    ["{", "not_json"],
    [[], "wrong_value"],
    [{ hedaer: [] }, "unknown_key", { key: "hedaer", similar: "header" }],
    [{ copies: "2" }, "wrong_value", { path: "copies" }],
    [{ header: ["a", 1] }, "wrong_value", { path: "header.1" }],
    [{ blocks: ["nmber"] }, "wrong_value", { path: "blocks.0" }],
    [{ blocks: ["number", "delivery", "customer", "items", "collect"] }, "block_missing", { block: "notes" }],
    [
      { blocks: ["number", "delivery", "customer", "items", "items", "notes", "collect"] },
      "block_twice",
      { block: "items" },
    ],
    [{ logo: "text.png" }, "logo_not_png"],
    [{ logo: "." }, "logo_not_png"],
    [{ logo: "cut.png" }, "logo_damaged"],
  ])("refuses the layout %j before anything is printed", async (content, kind, facts = {}) => {
    kept(black.subarray(0, 40), "cut.png");
    kept("GIF89a", "text.png");
    const file = kept(content);
    const printer = await virtualPrinter();
    const { env, mock } = await service();
    const [order] = await mock.control.placeOrders({});
    const print = ["orders", "show", String(order?.order_id), "--print", "--printer", printer.url];
    for (const argv of [
      ["printer", "preview"],
      print,
      ["orders", "watch", "--once", "--printer", printer.url],
    ]) {
      const run = await shell({ env })([...argv, "--layout", file, "-o", "ndjson"]);
      expect(run.code).toBe(2);
      expect(JSON.parse(run.stderr)).toMatchObject({
        error: { reason: "layout_unusable", file, problem: { kind, ...facts } },
      });
    }
    expect(printer.connections).toBe(0);
  });

  it.each([
    [["--layout", join(folder, "none.json")], "input_unreadable"],
    [["--layout", kept({ logo: "none.png" })], "input_unreadable"],
    [["--png", join(folder, "none", "x.png")], "usage_flag"],
    [["--png", folder], "usage_flag"],
    [["x1"], "usage_flag"],
    [["404"], "order_not_found", 11],
  ])("is refused before anything is drawn: %j", async (more, reason, code = 2) => {
    const { env } = await service();
    const run = await shell({ env })(["printer", "preview", ...more, "--json"]);
    expect(run).toMatchObject({ code, stdout: "" });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { reason } });
    expect(existsSync(join(folder, "none"))).toBe(false);
  });
});

describe("a layout", () => {
  it("of the profile counts wherever an order is printed, in any folder, and a flag in its place", async () => {
    const { env, mock } = await service({ scenario: "empty" });
    const printer = await virtualPrinter();
    const file = kept({ header: ["LA ÑATA"], copies: 2, lang: "es" });
    const bpos = shell({ env: { ...env, BPOS_PROFILE: "centro" }, clock: fakeClock() });
    const add = ["profile", "add", "centro", "--base-url", mock.baseUrl, "--api-key-file", "-", "--no-check"];
    const cwd = folder;
    const relative = file.slice(folder.length + 1);
    const added = await bpos([...add, "--printer", printer.url, "--layout", relative], {
      stdin: "bpk_demo_centro",
      cwd,
    });
    expect(added.code).toBe(0);
    const shown = JSON.parse((await bpos(["profile", "show", "centro", "--json"])).stdout) as object;
    expect(JSON.stringify(shown)).toContain(JSON.stringify(file));

    const [order] = await mock.control.placeOrders({});
    expect((await bpos(["orders", "watch", "--once", "--printer"])).code).toBe(0);
    const [first, second, ...more] = (await printer.printed(2)).map(readable);
    expect(more).toEqual([]);
    const id = String(order?.order_id);
    expect(first).toMatch(new RegExp(`^ *LA ÑATA\\n *centro\\n *PEDIDO ${id}\\n`));
    expect(second).toMatch(new RegExp(`^ *COPIA 2 DE 2\\n *LA ÑATA\\n *centro\\n *PEDIDO ${id}\\n`));

    const other = kept({ footer: ["Chau"] });
    expect((await bpos(["orders", "show", id, "--print", "--layout", other])).code).toBe(0);
    const [, , third] = (await printer.printed(3)).map(readable);
    expect(third).not.toContain("ÑATA");
    expect(third).toMatch(/Chau\n$/);
  });
});
