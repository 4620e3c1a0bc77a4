import { parse as parseCsv } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { person, statusOf } from "../../support/campaign-server.ts";
import { people, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { fixedServer } from "../../support/peers.ts";
import { shell } from "../../support/run.ts";
import { pointedAt, service } from "../../support/service.ts";

const status = (...more: string[]): string[] => ["campaign", "status", ...more];

const failed = (n: number, text: string | null) => person(n, "failed", { error_message: text });
const answers: Readonly<Record<string, unknown>> = {
  c1: statusOf("c1", [
    ...[failed(1, "+5491150000001 said no"), failed(2, "+5491150000002 said no"), failed(3, "")],
    ...[person(4, "read", { error_message: "" }), person(5, "sent", { error_message: "It is slow." })],
  ]),
  c2: statusOf("c2", [failed(6, null), person(7, "failed"), failed(8, "+5491150000008 said no")]),
};

/** A service with these two campaigns, which nothing here has sent. */
async function serviceOfTwo() {
  const url = await fixedServer(({ pathname }) => {
    const body = answers[pathname.split("/").at(-1) ?? ""];
    return body === undefined ? { status: 404, body: {} } : { body };
  });
  return shell({ env: { ...pointedAt(url), NO_COLOR: "1" } });
}

describe("the errors of campaigns", () => {
  it("are counted by the service's message without its phones, beside its keys only where several are summed", async () => {
    const run = await serviceOfTwo();
    const several = JSON.parse((await run(status("c1", "c2", "--json"))).stdout) as object;
    expect(Object.keys(several)).toEqual(["campaigns", "counts", "recipients_hidden", "errors"]);
    expect(several).toMatchObject({
      campaigns: [answers["c1"], answers["c2"]],
      errors: [
        { error_message: "… said no", recipients: 3 },
        { error_message: null, recipients: 3 },
        { error_message: "It is slow.", recipients: 1 },
      ],
    });
    const chosen = JSON.parse((await run(status("c1", "c2", "--only", "read", "--json"))).stdout) as object;
    expect(chosen).toMatchObject({ errors: [{ recipients: 3 }, { recipients: 3 }, { recipients: 1 }] });
    const one = await run(status("c1", "--json"));
    expect(JSON.parse(one.stdout)).toEqual(answers["c1"]);
  });

  it.each([
    ["en", "Recipients  Error", "Ask for the current mobile number", "A few are usual", "no reason"],
    ["es", "Destinatarios  Error", "Pide el número de celular", "Unos pocos", "no dio un motivo"],
  ])(
    "stand in the table with what to do, in %s, in a pipe and at 80 and 200 columns",
    async (lang, ...said) => {
      const [heading, number, usual, noReason] = said;
      const { env, mock } = await service();
      const run = shell({ env: { ...env, NO_COLOR: "1", BPOS_LANG: lang } });
      // The endings decide that the messages to them fail.
      const file = recipientsFile(["+5491155550000,Leo,1", "+5491155560000,Eva,2", "+5491155550004,Luz,3"]);
      await run(send(file, "--yes", "--ref", "enero"));
      await mock.control.moveClock({ advance_ms: 3_600_000 });
      const asked = status("--ref", "enero");

      const pipe = (await run(asked)).stdout;
      const lines = pipe.split("\n");
      const at = lines.findIndex((line) => line.startsWith(heading));
      expect(lines[at + 1]).toMatch(
        new RegExp(`^ +2  This phone is not on the messaging platform\\.  ${number}.*\\.$`),
      );
      expect(lines[at + 2]).toMatch(/^ +1 {2}The message could not be delivered\. .*--only-failed-of.*\.$/);
      expect(lines[at + 3]).toBe("");

      for (const terminal of [80, 200]) {
        const shown = (await run(asked, { terminal })).stdout;
        expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(terminal);
        expect(shown).toMatch(/^ +2 {2}This phone is not on the/m);
        expect(shown.replace(/\s+/g, " ")).toContain("--only-failed-of");
      }

      const none = await run(send(people(1), "--yes", "--ref", "febrero", "--allow-repeat"));
      expect(none.code).toBe(0);
      expect((await run(status("--ref", "febrero"))).stdout).not.toContain(heading);
      const unknown = (await (await serviceOfTwo())(status("c1", "c2", "--lang", lang))).stdout;
      expect(unknown).toMatch(new RegExp(`^ +3  .*${noReason}`, "m"));
      expect(unknown).not.toContain(usual);
    },
  );

  it("that are many are counted beyond the first ten", async () => {
    const recipients = Array.from({ length: 14 }, (_, n) =>
      failed(n, `reason ${String.fromCharCode(97 + n)}`),
    );
    const url = await fixedServer(() => ({ body: statusOf("c1", recipients) }));
    const { stdout } = await shell({ env: pointedAt(url) })(status("c1"));
    expect(stdout.match(/^ +1 {2}reason/gm)).toHaveLength(10);
    expect(stdout).toContain("4 more errors");
  });
});

describe("campaign status -o csv", () => {
  it("has a line for each recipient, also for those whom the service does not list", async () => {
    const { env, mock } = await service();
    const run = shell({ env });
    await run(send(recipientsFile([...rows(120), "+5491140000000,Leo,1"]), "--yes", "--ref", "enero"));
    await mock.control.moveClock({ advance_ms: 3_600_000 });
    const all = await run(status("--ref", "enero", "-o", "csv"));
    const lines = parseCsv<Record<string, string>>(all.stdout, { columns: true });
    expect(new Set(lines.map((line) => line["phone"])).size).toBe(121);
    expect(new Set(lines.map((line) => line["line"])).size).toBe(121);
    expect(lines.filter((line) => line["status"] === "")).toHaveLength(21);
    expect(new Set(lines.map((line) => line["campaign_id"])).size).toBe(1);
    expect(all.stderr).not.toContain("not listed");

    // Nobody knows whether those failed who are not listed.
    const only = await run(
      status("--ref", "enero", "--only", "failed", "-o", "csv", "--fields", "phone,status"),
    );
    expect(
      only.stdout
        .split("\r\n")
        .slice(1, -1)
        .every((line) => line.endsWith(",failed")),
    ).toBe(true);
    expect(only.stderr).toContain("21 recipients are counted but not listed");
  });

  it("says how many it lacks of a campaign that the journal does not know", async () => {
    const url = await fixedServer(() => ({
      body: statusOf("c1", [person(1, "read")], { total_recipients: 5 }),
    }));
    const { stdout, stderr } = await shell({ env: pointedAt(url) })(status("c1", "-o", "csv"));
    expect(stdout.trimEnd().split("\r\n")).toHaveLength(2);
    expect(stderr).toContain("4 recipients are counted but not listed");
  });
});
