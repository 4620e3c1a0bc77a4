import { describe, expect, it } from "vitest";
import { errorOf, parse, people, send } from "../support/campaigns.ts";
import { fixture, shell } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt, service } from "../support/service.ts";

/** The parts of the error of a run, without their labels. */
const partsOf = (stderr: string): string[] =>
  stderr
    .slice(stderr.search(/^Error:/m))
    .split("\n")
    .map((line) => line.replace(/^[^:]+: +/, ""));

async function desk() {
  const { env, mock } = await service();
  return { mock, env, run: shell({ env }) };
}

describe("what the service does not have", () => {
  it("a campaign is missing for this key, in both languages; the answer comes after", async () => {
    const { run } = await desk();
    const cases = [
      ["en", "No campaign cmp_nope for this key.", "GET /campaigns/cmp_nope at "],
      ["es", "No hay ninguna campaña cmp_nope para esta clave.", "GET /campaigns/cmp_nope en "],
    ] as const;
    for (const [language, what, answer] of cases) {
      const { stdout, stderr } = await run(["campaign", "status", "cmp_nope", "--lang", language]);
      const [headline, why, next] = partsOf(stderr);
      expect([stdout, headline]).toEqual(["", what]);
      expect(why).toMatch(new RegExp(`^${answer}.*400 ERROR_CODE_INPUT_ERROR, "campaign not found"`));
      expect(next).toMatch(/`bpos campaign list`.*-p N(?:AME|OMBRE).*`bpos campaign find /);
    }
  });

  it("so is the campaign of another branch, and of several ids the one that is unknown", async () => {
    const { run, mock } = await desk();
    const sent = parse((await run(send(people(1), "--yes", "--json"))).stdout);
    const id = sent.campaigns[0]!.campaign_id!;
    const other = { ...pointedAt(mock.baseUrl, mock.campaignsBaseUrl, mock.keys[1]!.key) };
    const stranger = await shell({ env: other })(["campaign", "status", id, "--json"]);
    expect(errorOf(stranger.stderr)).toMatchObject({ reason: "campaign_not_found", campaign_id: id });
    const mixed = await run(["campaign", "status", id, "cmp_nope", "--json"]);
    expect(errorOf(mixed.stderr)).toMatchObject({ reason: "campaign_not_found", campaign_id: "cmp_nope" });
  });

  it.each([
    ["a page", reply("<h1>Not Found</h1>", 404)],
    ["a gateway", reply({ message: "no Route matched with those values" }, 404)],
  ])("%s that answers 404 in its place says nothing of the campaign", async (_, answer) => {
    const server = await scriptedServer(on("GET /campaigns/cmp_1", answer));
    const run = shell({ env: pointedAt(server.url) });
    const { stderr } = await run(["campaign", "status", "cmp_1", "--json"]);
    expect(errorOf(stderr)).toMatchObject({ reason: "input_refused", status: 404 });
    expect(errorOf(stderr)["hint"]).toContain("--campaigns-url");
  });

  it("a template is missing for this key, by its name and by its id", async () => {
    const { run } = await desk();
    for (const flag of ["--template", "--template-id"]) {
      const argv = ["campaign", "send", people(1), flag, "pedido_lsto", "--yes"];
      for (const [language, what] of [
        ["en", "No template pedido_lsto for this key."],
        ["es", "No hay ninguna plantilla pedido_lsto para esta clave."],
      ] as const) {
        const { code, stderr } = await run([...argv, "--lang", language]);
        const at = stderr.indexOf(what);
        expect([code, at >= 0]).toEqual([5, true]);
        expect(stderr.indexOf('"template not found: pedido_lsto"')).toBeGreaterThan(at);
      }
    }
  });

  it("whatever else is wrong with a template is said as a refusal", async () => {
    const refusal = { code: "ERROR_CODE_INPUT_ERROR", message: "template not approved: promo", payload: {} };
    const server = await scriptedServer(on("POST /campaigns", reply(refusal, 400)));
    const run = shell({ env: pointedAt(server.url) });
    const { code, stderr } = await run(send(people(1), "--yes"));
    expect([code, stderr]).toEqual([5, expect.stringContaining("The service refused POST /campaigns")]);
  });
});

describe("what only the journal knows", () => {
  const person = "+5491155550999";
  const cases: [argv: string[], english: string, spanish: string][] = [
    [["campaign", "find", person], `no send to ${person}.`, `ningún envío a ${person}.`],
    [["campaign", "status", person], `no send to ${person}.`, `ningún envío a ${person}.`],
    [["campaign", "status", "--ref", "enero"], 'no send "enero".', 'el envío "enero".'],
    [["campaign", "resume", "enero"], 'no send "enero".', 'el envío "enero".'],
    [
      [...send(fixture("recipients.csv"), "--only-failed-of", "enero", "--yes")],
      'no send "enero".',
      'el envío "enero".',
    ],
    [["catalog", "undo", "--yes"], "no push to undo.", "ninguna subida para deshacer."],
    [["catalog", "undo", "a1b2", "--yes"], 'no push "a1b2".', 'la subida "a1b2".'],
  ];

  it.each(cases)("%j names the journal, and what else can be asked", async (argv, english, spanish) => {
    const { run } = await desk();
    const said = partsOf((await run(argv)).stderr);
    expect(said[0]).toBe(`This machine's journal has ${english}`);
    expect(said[1]).toMatch(/only (?:in )?the journal/);
    expect(said[2]).toMatch(/-p NAME.*another machine/);
    if (argv[0] === "campaign") expect(said[2]).toContain("`bpos campaign status ID`");
    const enEspañol = partsOf((await run([...argv, "--lang", "es"])).stderr);
    expect(enEspañol[0]).toBe(`El registro de esta máquina no tiene ${spanish}`);
    expect(enEspañol[2]).toMatch(/-p NOMBRE.*otra máquina/);
  });

  it("an empty list names the journal too", async () => {
    const { run } = await desk();
    const { stdout } = await run(["campaign", "list"], { terminal: 100 });
    expect(stdout).toContain("This machine's journal has no sends with this key.");
    const history = await run(["catalog", "history", "--lang", "es"], { terminal: 100 });
    expect(history.stdout).toContain("El registro de esta máquina no tiene subidas");
  });
});
