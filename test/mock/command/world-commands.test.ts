import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../support/fake-clock.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

const noon = "2026-01-01T12:00:00-03:00";

async function talking(options: Parameters<typeof service>[0] = {}) {
  const { mock } = await service({ scenario: "empty", clock: noon, ...options });
  const cwd = temporaryFolder();
  const run = shell({ cwd, clock: fakeClock() });
  const talk = (...argv: string[]) => run(["mock", ...argv, "--url", mock.baseUrl]);
  return { mock, cwd, talk };
}

describe("bpos mock orders set, templates, fault --remove", () => {
  it("move an order, and say which there is none of", async () => {
    const { mock, talk } = await talking();
    const [order] = await mock.control.placeOrders({ order: { order_id: 7 } });
    const moved = await talk("orders", "set", "7", "en_camino");
    expect(moved).toMatchObject({ code: 0, stdout: "Order 7 is now en_camino.\n", stderr: "" });
    expect(JSON.parse((await talk("orders", "set", "7", "listo", "--json")).stdout)).toEqual({
      ...order,
      status: "listo",
    });
    const missing = await talk("orders", "set", "8", "listo");
    expect(missing.code).toBe(11);
    expect(missing.stderr).toContain("Order 8 not found.");
    expect((await talk("orders", "set", "7", "lista")).stderr).toContain("en_preparacion");
    expect((await talk("orders")).code).toBe(2);
  });

  it("list the templates", async () => {
    const { mock, talk } = await talking();
    const { stdout } = await talk("templates");
    expect(stdout).toMatch(/promo_semana +approved +es_AR, pt_BR +image +1 +tpl_2/);
    const inSpanish = await talk("templates", "--lang", "es");
    expect(inSpanish.stdout).toMatch(/promo_semana +aprobada +es_AR, pt_BR +imagen /);
    expect(JSON.parse((await talk("templates", "--json")).stdout)).toEqual({
      templates: await mock.control.templates(),
    });
  });

  it("remove one fault by the number that the list shows", async () => {
    const { mock, talk } = await talking({ faults: ["GET / drop", "POST / drop"] });
    expect((await talk("fault", "--list")).stdout).toMatch(/\n 1 {2}GET \/ drop/);
    expect((await talk("fault", "--remove", "1")).stdout).toMatch(/\n 2 {2}POST \/ drop/);
    expect(await mock.control.faults()).toMatchObject([{ id: 2 }]);
    expect((await talk("fault", "--remove", "1")).code).toBe(11);
    expect((await talk("fault", "--remove", "2", "--list")).code).toBe(2);
  });
});

describe("bpos mock clock", () => {
  it("shows it, stops it, lets it go on, and sets its speed and its date", async () => {
    const { talk } = await talking();
    const now = "2026-01-01 12:00:00";
    expect((await talk("clock")).stdout).toBe(`The mock's clock is frozen at ${now}.\n`);
    const quick = await talk("clock", "--speed", "0.5", "--json");
    expect(JSON.parse(quick.stdout)).toMatchObject({ frozen: false, speed: 0.5 });
    expect((await talk("clock", "--freeze")).stdout).toContain("is frozen at 2026-01-01 12:00");
    expect((await talk("clock", "--resume")).stdout).toContain("speed 0.5.");
    await talk("clock", "--freeze");
    expect((await talk("clock", "--now", "2026-02-01T00:00:00Z")).stdout).toContain("2026-01-31 21:00:00");
    expect((await talk("clock", "--now", "tomorrow")).code).toBe(2);
    const both = await talk("clock", "--resume", "--speed", "2");
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("exclude each other") as string });
  });
});

describe("bpos mock webhook", () => {
  it("shows, sets and takes away where replies are posted", async () => {
    const { mock, talk } = await talking();
    expect((await talk("webhook")).stdout).toBe("No webhook is set, so replies are not posted.\n");
    expect((await talk("webhook", "http://127.0.0.1:9/x")).stdout).toBe(
      "Replies are posted to http://127.0.0.1:9/x.\n",
    );
    expect(await mock.control.webhook()).toEqual({ url: "http://127.0.0.1:9/x" });
    expect(JSON.parse((await talk("webhook", "--off", "--json")).stdout)).toEqual({ url: null });
    expect((await talk("webhook", `${mock.baseUrl}/_mock/replies`)).stderr).toContain("own address");
    expect((await talk("webhook", "http://127.0.0.1:9/x", "--off")).code).toBe(2);
  });

  it("needs a mock that runs: the world of --mock would forget it at once", async () => {
    const { code, stderr } = await shell()(["--mock", "mock", "webhook", "http://127.0.0.1:9/x"]);
    expect(code).toBe(2);
    expect(stderr).toContain("No mock is running.");
  });
});

describe("bpos mock export and import", () => {
  it("take a world from one mock to another, by file or pipe, and replace no file unasked", async () => {
    const from = await talking({ scenario: "demo" });
    await from.mock.control.placeOrders({ order: { order_id: 7 } });
    const file = join(from.cwd, "world.json");
    const exported = await from.talk("export", "world.json");
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    expect(exported.stdout).toBe("Exported the world as of 2026-01-01 12:00:00 to world.json.\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, "utf8");
    const again = await from.talk("export", "world.json");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") as string });
    await from.mock.control.placeOrders();
    expect(readFileSync(file, "utf8")).toBe(before);
    expect((await from.talk("export", "world.json", "--force")).code).toBe(0);
    const text = (await from.talk("export", "-")).stdout;
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(file, "utf8")));

    const to = await talking();
    writeFileSync(join(to.cwd, "friday.json"), before);
    const imported = await to.talk("import", "friday.json");
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(imported.stdout).toContain("scenario demo");
    expect((await to.mock.control.setOrderStatus(7, "listo")).order_id).toBe(7);
    const piped = shell({ stdin: text });
    const answer = await piped(["mock", "import", "-", "--json", "--url", to.mock.baseUrl]);
    expect(JSON.parse(answer.stdout)).toEqual(await to.mock.control.world());
    expect(await to.mock.control.exportWorld()).toMatchObject({ scenario: "demo", seed: 1 });
  });

  it("refuse what is no export, and say so of the file", async () => {
    const { mock, cwd, talk } = await talking();
    const { world_id } = await mock.control.world();
    writeFileSync(join(cwd, "a.json"), '{"name":"sushi"}');
    writeFileSync(join(cwd, "b.json"), "codigo,precio");
    expect((await talk("import", "a.json")).stderr).toContain("not a mock export");
    expect((await talk("import", "b.json")).stderr).toContain("b.json: it is not valid JSON");
    expect((await talk("import", "c.json")).code).toBe(2);
    expect((await mock.control.world()).world_id).toBe(world_id);
  });

  it("work on the world of --mock", async () => {
    const run = shell();
    const text = (await run(["--mock", "mock", "export", "-"])).stdout;
    await run(["--mock", "mock", "reset", "--scenario", "empty"]);
    const piped = await run(["--mock", "mock", "import", "-"], { stdin: text });
    expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining("scenario demo") as string });
  });
});
