import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { desk, parse, send } from "../../support/campaigns.ts";
import { modeOf } from "../../support/profiles.ts";
import { shell } from "../../support/run.ts";
import { on, reply, scriptedServer } from "../../support/scripted-server.ts";
import { pointedAt } from "../../support/service.ts";

describe("--errors", () => {
  const ref = ["--ref", "enero", "--yes", "--json"];

  it("writes all left-out rows so that the corrected ones, and only they, go out under the same reference", async () => {
    const { run, file, phones, path } = await desk();
    const errors = path("errores.csv");
    const content = [
      "Teléfono;Nombre;Pedido",
      "+54 9 11 6123-4567;José;1",
      "+54 9 11 6123-4568;;2",
      "+54 9 11 6123-4567;=Pepe;3",
      "+54 9 11 6123-45;Íñigo;4",
      "+54 9 11 6123-4577;Zoë;5",
    ];
    const people = file("people.csv", Buffer.from(`${content.join("\r\n")}\r\n`, "latin1"));
    const bajas = file("bajas.txt", "+5491161234577\n");
    const first = await run(send(people, ...ref, "--exclude", bajas, "--errors", errors));
    expect(first.code).toBe(3);
    expect(modeOf(errors)).toBe("600");
    const text = readFileSync(errors, "utf8");
    const next = "check this row, then delete the cell on the right";
    expect(text.split("\r\n")).toEqual([
      "\ufeffTeléfono;Nombre;Pedido;error;bpos_info;bpos_hold",
      "'+54 9 11 6123-4568;;2;Nombre is empty: the template needs a text there;;",
      `'+54 9 11 6123-4567;'=Pepe;3;the same person as line 2, with other values: only those of line 2 are sent;${next};unchecked`,
      '\'+54 9 11 6123-45;Íñigo;4;"""+54 9 11 6123-45"" is not a phone number of AR: check its digits";;',
      `'+54 9 11 6123-4577;Zoë;5;excluded by line 1 of ${bajas};this person is excluded: delete this row;excluded`,
      "",
    ]);
    // As it is, nobody is messaged: least of all whoever is excluded, though --exclude is not there any more.
    const asItIs = await run(send(errors, ...ref));
    expect(parse(asItIs.stdout)).toMatchObject({
      recipients: { planned: 0, invalid: 3, excluded: 1 },
      invalid: [{ line: 2 }, { line: 3, phone: "+54 9 11 6123-4567" }, { line: 4 }],
      excluded_rows: [{ line: 5, phone: "+54 9 11 6123-4577", error: `excluded by line 1 of ${bajas}` }],
    });
    writeFileSync(errors, text.replace("4568;;", "4568;Ana;").replace("6123-45;", "6123-4599;"));
    const again = await run(send(errors, ...ref));
    expect(parse(again.stdout)).toMatchObject({
      recipients: { planned: 2, added: 2, invalid: 1, excluded: 1 },
    });
    expect(await phones()).toEqual(["+5491161234567", "+5491161234568", "+5491161234599"]);
  });

  it("keeps its rows out when a spreadsheet has given every row as many cells as the longest", async () => {
    const { run, file, phones } = await desk();
    const rows = [
      "telefono,nombre,pedido,error,bpos_info,bpos_hold,",
      "+5491161234567,Ana,1,excluded by line 1 of bajas.txt,this person is excluded: delete this row,excluded,",
      '+5491161234568,Eva,2,the same person as line 2,"check this row, then delete the cell on the right",unchecked,',
      "+5491161234569,Zoe,3,nombre is empty: the template needs a text there,,,",
      "+5491161234570,Eva,4,,,,one cell too much",
    ];
    const people = file("errores.csv", `${rows.join("\r\n")}\r\n`);
    const { stdout } = await run(send(people, ...ref, "--errors", people.replace("errores", "mas")));
    expect(parse(stdout)).toMatchObject({
      recipients: { planned: 1, invalid: 2, excluded: 1 },
      excluded_rows: [{ line: 2, phone: "+5491161234567", error: "excluded by line 1 of bajas.txt" }],
    });
    expect(await phones()).toEqual(["+5491161234569"]);
    // Rows that are left out again say the same again.
    expect(readFileSync(people.replace("errores", "mas"), "utf8")).toContain(
      "+5491161234567,Ana,1,excluded by line 1 of bajas.txt,this person is excluded: delete this row,excluded\r\n",
    );
  });

  it("is written by a dry run, and an earlier one is taken away only by a send that leaves nobody out", async () => {
    const { run, file, path } = await desk();
    const errors = path("errores.csv");
    const flags = ["--errors", errors, "--ref", "enero"];
    const bad = file("bad.csv", "telefono,nombre\n+5491161234567,\n+5491161234568,Ana\n");
    const dry = await run(send(bad, ...flags, "--dry-run"));
    expect(dry.stdout.replace(/\s+/g, " ")).toContain(
      `All rows left out are in ${errors}. Correct that file and send it with --ref enero.`,
    );
    expect(existsSync(errors)).toBe(true);
    const good = file("good.csv", "telefono,nombre,pedido\n+5491161234567,Ana,1\n");
    await run(send(good, ...flags, "--dry-run"));
    expect(existsSync(errors)).toBe(true);
    expect((await run(send(good, ...flags, "--yes"))).code).toBe(0);
    expect(existsSync(errors)).toBe(false);
    writeFileSync(errors, "not ours\n");
    expect((await run(send(good, ...flags, "--yes"))).code).toBe(0);
    expect(readFileSync(errors, "utf8")).toBe("not ours\n");
  });

  it("goes to the next free name where it names the recipients, or who is excluded", async () => {
    const { run, file, path } = await desk();
    const people = file("people.csv", "telefono,nombre,pedido\n+5491161234567,Ana,1\n15,Eva,2\n");
    const bajas = file("bajas.txt", "+5491161234568\n");
    for (const errors of [people, bajas]) {
      const before = readFileSync(errors, "utf8");
      const flags = ["--exclude", bajas, "--errors", errors, "--dry-run"];
      const { stdout, stderr } = await run(send(people, ...ref, ...flags));
      const written = path(errors === people ? "people-2.csv" : "bajas-2.txt");
      expect(JSON.parse(stdout)).toMatchObject({ errors_file: written });
      expect(stderr).toContain(`This command reads ${errors}, so it was not overwritten.`);
      expect(readFileSync(errors, "utf8")).toBe(before);
    }
  });

  it("is refused before anything is sent where it cannot be written", async () => {
    const { run, file, phones, path } = await desk();
    const people = file("people.csv", "telefono,nombre,pedido\n+5491161234567,Ana,1\n");
    const bajas = file("bajas.txt", "+5491161234568\n");
    for (const [errors, words] of [
      [path("no/errores.csv"), "its folder does not exist"],
      ["-", "a name that ends in .csv"],
    ] as const) {
      const result = await run(send(people, ...ref, "--exclude", bajas, "--errors", errors));
      expect(result.code).toBe(2);
      expect(result.stderr.replace(/\s+/g, " ")).toContain(words);
    }
    expect(await phones()).toEqual([]);
  });
});

describe("campaign status", () => {
  it.each([
    ["a refusal", reply({ code: "ERROR_CODE_INPUT_ERROR", message: "unknown" }, 400), 11],
    ["no service", reply("", 503), 6],
    ["an answer that is none", reply("<html>"), 6],
  ])("names the id that was typed when it meets %s", async (_, handler, code) => {
    const server = await scriptedServer(on("GET /campaigns/cmp%209%2F1", handler));
    const run = shell({ env: pointedAt(server.url) });
    const argv = ["campaign", "status", "cmp 9/1", "--retries", "0"];
    const { stderr, ...ended } = await run(argv, { terminal: 300 });
    expect(ended.code).toBe(code);
    expect(stderr).toContain("GET /campaigns/cmp 9/1");
    expect(stderr).not.toContain("campaign_id}");
  });
});
