import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { printed, readable } from "../../support/printed.ts";
import { home } from "../../support/profiles.ts";
import { shell, temporaryFolder } from "../../support/run.ts";
import { virtualPrinter } from "../../support/virtual-printer.ts";

describe("bpos printer test", () => {
  it.each([
    ["escpos", "80", 48],
    ["star", "58", 32],
  ] as const)(
    "prints width, letters, sizes and cut over TCP, in %s on %s mm",
    async (language, paper, columns) => {
      const printer = await virtualPrinter({}, { language, columns });
      const run = await shell()([
        "printer",
        "test",
        printer.url,
        "--paper",
        paper,
        "--printer-language",
        language,
      ]);
      expect(run).toMatchObject({ code: 0, stderr: "" });
      expect(run.stdout).toContain(`The test receipt was sent to ${printer.url}.\n`);
      expect(run.stdout).toContain(`one full row of ${columns} digits`);
      const [receipt, ...more] = await printer.printed(1);
      expect(more).toEqual([]);
      expect(receipt).toMatchObject({ acts: ["cut"], unknown: [] });
      const text = readable(receipt ?? { lines: [], acts: [], unknown: [] });
      expect(text).toContain(`\n${"1234567890".repeat(5).slice(0, columns)}\n`);
      expect(text).toContain("áéíóúüñ ÁÉÍÓÚÜÑ ¿? ¡! $ € °\n");
      expect(receipt?.lines.map(({ width, height }) => width * height)).toEqual(
        expect.arrayContaining([1, 2, 4]),
      );
    },
  );

  it("takes what it is not told from the profile, and tells it in JSON", async () => {
    const file = join(temporaryFolder(), "printed.bin");
    const bpos = shell();
    const add = "profile add centro --base-url http://127.0.0.1:9 --api-key-file - --no-check".split(" ");
    const own = `--printer file:${file} --paper 58 --printer-language star --drawer --beep`.split(" ");
    expect(await bpos([...add, ...own, "-q"], { stdin: "bpk_x_1234" })).toMatchObject({ code: 0 });
    const { code, stdout } = await bpos(["printer", "test", "-o", "json"]);
    const bytes = readFileSync(file);
    expect(JSON.parse(stdout)).toEqual({
      ...{ printer: `file:${file}`, paper: 58, printer_language: "star" },
      ...{ drawer: true, beep: true, bytes: bytes.length },
    });
    expect([code, printed(bytes, "star", 32)[0]?.acts]).toEqual([0, ["beep", "drawer", "cut"]]);
    const shown = await bpos(["profile", "show", "-o", "json"]);
    expect((JSON.parse(shown.stdout) as { settings: unknown[] }).settings).toEqual(
      expect.arrayContaining([
        { setting: "printer", value: `file:${file}`, source: "profile", from: "centro" },
        { setting: "paper", value: 58, source: "profile", from: "centro" },
      ]),
    );
    const less = ["profile", "add", "centro", "--update", "--no-drawer", "--no-beep", "--no-check", "-q"];
    expect(await bpos(less)).toMatchObject({ code: 0 });
    await bpos(["printer", "test", "-q"]);
    expect(printed(readFileSync(file).subarray(bytes.length), "star", 32)[0]?.acts).toEqual(["cut"]);
  });

  it.each([
    [
      { printer: "usb" },
      'Invalid value "usb" for printer (profiles.centro).',
      "A printer is tcp://192.168.1.50:9100",
    ],
    [{ printer: "lp:x", paper: 57 }, 'Invalid value "57" for paper (profiles.centro).', "58, 80"],
    [
      { printer: "lp:x", printer_language: "zpl" },
      'Invalid value "zpl" for printer_language (profiles.centro).',
      "escpos, star",
    ],
    [{}, "No printer specified.", "bpos profile add centro --update --printer URL"],
  ])("ends with 2 and names the setting of the profile that is none: %j", async (own, what, next) => {
    const { writeFileSync, mkdirSync } = await import("node:fs");
    const home = temporaryFolder();
    mkdirSync(home, { recursive: true });
    writeFileSync(
      join(home, "config.json"),
      JSON.stringify({ default: "centro", profiles: { centro: own } }),
      { mode: 0o600 },
    );
    const run = await shell({ env: { BPOS_HOME: home } })(["printer", "test"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(what);
    expect(run.stderr).toContain(next);
  });

  it("says what a printer is on Windows where the one of the profile is none there", async () => {
    const { run, write } = home({ platform: "win32" });
    write({ default: "centro", profiles: { centro: { printer: "EPSON" } } });
    const { code, stderr } = await run(["printer", "test"]);
    expect(code).toBe(2);
    expect(stderr).toContain(String.raw`file:\\localhost\NAME`);
  });

  it.each([
    [{ state: "paper_out" }, "it is out of paper", "Load paper."],
    [{ state: "cover_open" }, "its cover is open", "Close its cover."],
    [{ resetAfter: 200 }, "it closed the connection before the end", "Part of it might be printed."],
  ] as const)("ends with 6 where the printer says %j", async (mode, what, more) => {
    const printer = await virtualPrinter(mode);
    const run = await shell()(["printer", "test", printer.url]);
    expect(run).toMatchObject({ code: 6, stdout: "" });
    expect(run.stderr).toContain(what);
    expect(run.stderr).toContain(more);
  });
});
