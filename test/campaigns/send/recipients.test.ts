import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { desk, parse, send } from "../../support/campaigns.ts";
import { fixture, type Run } from "../../support/run.ts";

/** Returns the sentence about every row that was left out, and how many would be messaged. */
interface Said {
  planned: number;
  notices: string;
  invalid: string[];
  duplicates: string[];
  excluded: string[];
}

function saidIn({ stdout, stderr }: Run): Said {
  const report = parse(stdout);
  const listed = (rows: { line: number; error: string }[]): string[] =>
    rows.map(({ line, error }) => `${line}: ${error}`);
  return {
    planned: report.recipients["planned"] ?? -1,
    notices: stderr,
    invalid: listed(report.invalid),
    duplicates: listed(report.duplicate_rows),
    excluded: listed(report.excluded_rows),
  };
}

describe("recipients as real programs write them", () => {
  const files: [name: string, flags: string[], Said][] = [
    [
      "recipients-windows-1252.csv",
      ["--country", "AR"],
      {
        planned: 5,
        notices: expect.stringMatching(
          /^The file is not UTF-8 and was read as windows-1252\. .* --encoding\.\n3 phones look like a landline \(line 4: \+541161234568 → \+5491161234568; /,
        ) as string,
        invalid: [
          '3: "15 6123-4567" has no area code: write it before the number, as in 0AREA 15 … or +54 9 AREA …',
          '5: Teléfono: the spreadsheet lost digits of "5,49112E+12": format the column as text and export again',
          '6: "011 15 6123-4569 / 011 15 6123-4570" contains more than one phone, or an extension: keep one number, or give each its own row',
          '7: "011 6123-4571 int. 12" contains more than one phone, or an extension: keep one number, or give each its own row',
          '8: "+54 9 11 6123-45" is not a phone number of AR: check its digits',
          "9: Teléfono is empty",
          "10: Nombre is empty: the template needs a text there",
          "11: Nombre contains a line break or a tab: a template variable is a single line",
          "13: the row has 4 cells and the header 3: put quotation marks around a text with the delimiter in it, or remove the extra cells",
          "14: the row has 2 cells and the header 3: add the missing cells, even if they are empty",
          "18: Nombre has 1025 characters: at most 1024 are allowed",
          "20: a quotation mark is never closed: close it, or double it if it belongs to the text",
        ],
        duplicates: [
          "15: the same person as line 2, with other values: only those of line 2 are sent",
          "16: the same person as line 2",
        ],
        excluded: [],
      },
    ],
    [
      "recipients-google.csv",
      ["--params", "Nombre,pedido"],
      {
        planned: 5,
        notices: "",
        invalid: [
          '9: "11 6123-4568" has no + and country code: write it as +54 9 11 …, or name the country with --country AR',
        ],
        duplicates: [
          "3: the same person as line 2",
          "5: the same person as line 4, with other values: only those of line 4 are sent",
          "7: the same person as line 6",
        ],
        excluded: [],
      },
    ],
    [
      "recipients-utf16.txt",
      [],
      {
        planned: 2,
        notices: "",
        invalid: [],
        duplicates: ["4: the same person as line 2, with other values: only those of line 2 are sent"],
        excluded: [],
      },
    ],
    [
      "recipients.json",
      ["--country", "AR"],
      {
        planned: 2,
        notices: "",
        invalid: [
          "4: the row has 1 variable and the first row 2: every row needs the same number",
          '6: "+54 9 11 6123-4570" is not an object with named fields',
        ],
        duplicates: ["5: the same person as line 2, with other values: only those of line 2 are sent"],
        excluded: [],
      },
    ],
  ];

  it.each(files)(
    "%s: every row is messaged or left out with its line, from a file and from a pipe",
    async (name, flags, said) => {
      const { run } = await desk();
      const path = fixture(`input/${name}`);
      const args = ["--dry-run", "--json", ...flags];
      const onDisk = await run(send(path, ...args));
      expect(saidIn(onDisk)).toEqual(said);
      expect(onDisk.code).toBe(said.invalid.length > 0 ? 3 : 0);
      const piped = await run(send("-", ...args), { stdin: readFileSync(path) });
      expect(saidIn(piped)).toEqual(said);
    },
  );

  it("shows the first ten of each kind on a terminal of 80 columns, with all counts, and asks", async () => {
    const { run, phones } = await desk({ terminal: 80 });
    const path = fixture("input/recipients-windows-1252.csv");
    const exclude = ["--exclude", fixture("input/excluded.txt")];
    const { stderr, stdout } = await run(send(path, "--country", "AR", ...exclude), { answers: [true] });
    const text = stderr.replace(/\u001b\[[0-9;]*m/g, "");
    expect(text).toMatch(/Duplicate rows +0\n/);
    expect(text).toMatch(/Invalid +12\n/);
    expect(text).toMatch(/Excluded +4\n/);
    expect(text).toMatch(/\n *2 .*011 15 6123-4567 .*excluded by line 1 of/);
    expect(text).toContain("2 more are not shown; --json lists all of them.");
    expect(text).not.toMatch(/\n *18 .*1025 characters/);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toContain("16 rows were left out, as shown above");
    expect(await phones()).toEqual(["+541161234568", "+541161234579", "+541161234580"]);
  });
});

describe("--exclude", () => {
  const people =
    "telefono,nombre,pedido\n+54 9 11 6123-4567,Ana,1\n+54 11 6123-4568,Eva,2\n+54 9 11 6123-4569,,3\n+54 9 11 6123-4570,Zoe,4\n";

  it.each([
    ["a plain list", "bajas.txt", "011 15 6123-4567\n11 6123-4568\n1161234569\n"],
    [
      "a CSV of a Spanish Excel",
      "bajas.csv",
      Buffer.from(
        "Raz\xf3n;Tel\xe9fono\r\npidi\xf3;011 15 6123-4567\r\nno;11 6123-4568\r\n;1161234569\r\n",
        "latin1",
      ),
    ],
    [
      "a JSON list of objects",
      "bajas.json",
      '[{"phone":"+5491161234567"},\n{"phone":"+5491161234568"},\n{"phone":5491161234569}]',
    ],
    ["a JSON list of texts", "bajas.json", '["+5491161234567",\n"+5491161234568",\n5491161234569]'],
    [
      "NDJSON",
      "bajas.ndjson",
      '{"phone":"+5491161234567"}\n{"phone":"+5491161234568"}\n{"phone":"+5491161234569"}\n',
    ],
  ])(
    "%s: leaves its people out in whatever form they are written, counted and listed",
    async (_, name, content) => {
      const { run, file, phones } = await desk();
      const bajas = file(name, content);
      const result = await run(
        send(file("people.csv", people), "--exclude", bajas, "--country", "AR", "--yes", "--json"),
      );
      expect(result.code).toBe(0);
      const report = parse(result.stdout);
      expect(report.recipients).toMatchObject({ read: 4, planned: 1, added: 1, invalid: 0, excluded: 3 });
      const lines = [...report.excluded_rows.map(({ line }) => line)];
      expect(lines).toEqual([2, 3, 4]);
      for (const { error } of report.excluded_rows) expect(error).toMatch(/^excluded by line \d of .*bajas/);
      expect(await phones()).toEqual(["+5491161234570"]);
    },
  );

  it.each([
    [
      "no phone",
      "+5491161234567\nAna Núñez\n+54911\n",
      2,
      '"Ana Núñez" is not a phone number of AR: check its digits (and 1 more line). bpos cannot tell who is excluded.',
    ],
    ["a first line that is none", "15 6123-4567\n+5491161234567\n", 1, '"15 6123-4567" has no area code'],
    [
      "an empty phone",
      "telefono,nombre\n+5491161234567,Ana\n,Eva\n",
      3,
      "telefono is empty. bpos cannot tell",
    ],
    [
      "a row that cannot be read",
      "telefono,nombre\n+5491161234567\n",
      2,
      "the row has 1 cell and the header 2",
    ],
    ["lost digits", 'telefono,nombre\n"5,49112E+12",Ana\n', 2, "lost digits of"],
  ])(
    "with %s nothing is sent: somebody would be messaged who must not be",
    async (_, content, line, words) => {
      const { run, file, phones } = await desk();
      const bajas = file("bajas.csv", content);
      const result = await run(
        send(file("people.csv", people), "--exclude", bajas, "--country", "AR", "--yes"),
      );
      expect(result.code).toBe(2);
      const text = result.stderr.replace(/\s+/g, " ");
      expect(text).toContain(`bajas.csv, line ${line}: `);
      expect(text).toContain(words);
      expect(text).toContain("Correct the line, or remove it if it names nobody.");
      expect(await phones()).toEqual([]);
    },
  );

  it("without a column of phones, or not there at all, is refused", async () => {
    const { run, file, phones } = await desk();
    const path = file("people.csv", people);
    const odd = await run(send(path, "--exclude", file("bajas.csv", "nombre,mail\nAna,a@b.c\n"), "--yes"));
    expect(odd.code).toBe(2);
    expect(odd.stderr.replace(/\s+/g, " ")).toContain(
      'bajas.csv: no column holds the phone (headers: "nombre", "mail").',
    );
    const missing = await run(send(path, "--exclude", "nowhere.csv", "--yes"));
    expect(missing.code).toBe(2);
    const both = await run(send("-", "--exclude", "-", "--yes"), { stdin: people });
    expect(both.stderr).toContain("Standard input can supply only one");
    expect(await phones()).toEqual([]);
  });
});
