import { describe, expect, it } from "vitest";
import { desk, errorOf, people, poster, recipientsFile, send, took } from "../../support/campaigns.ts";

const two = ["+5491155550107,Ana,118", "+5491155550017,Leo,7"];

describe("the template's name", () => {
  const typo = (...argv: string[]) =>
    send(recipientsFile(two), ...argv).map((arg) => arg.replace("pedido_listo", "pedido_lsto"));

  it("is checked only when you send of a real service: the dry run and the preview say so", async () => {
    const { run, server } = await poster([], { env: { NO_COLOR: "1" } });
    const said = "The template's name and language are checked only when you send.";
    const dry = await run(typo("--dry-run"));
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining(said)]);
    const json = await run(typo("--dry-run", "--json"));
    expect([json.code, json.stderr]).toEqual([0, expect.stringContaining(said)]);
    expect((await run(typo("--dry-run", "--json", "-q"))).stderr).toBe("");
    const asked = await run(typo(), { terminal: 80, answers: [false] });
    expect(asked.stderr).toContain(said);
    const spanish = await run(typo("--dry-run", "--lang", "es"));
    expect(spanish.stdout).toContain("se verifican solo al mandar");
    expect(server.requests).toEqual([]);
  });

  it("is checked on a mock, by name and by id, before the question too", async () => {
    const { run, phones } = await desk();
    for (const world of [{}, { terminal: 80 }]) {
      const { code, stderr } = await run(typo(...(world.terminal ? [] : ["--dry-run"])), world);
      expect(code).toBe(5);
      expect(stderr).toContain("The mock has no template pedido_lsto.");
      expect(stderr).toContain("pedido_listo");
    }
    const byId = [
      ...send(recipientsFile(two)).filter((arg) => !/template|pedido_listo/.test(arg)),
      "--dry-run",
    ];
    const wrong = await run([...byId, "--template-id", "tpl_99", "--json"]);
    expect([wrong.code, errorOf(wrong.stderr)]).toMatchObject([
      5,
      { reason: "template_unknown", template: "tpl_99" },
    ]);
    const right = await run([...byId, "--template-id", "tpl_1"]);
    expect([right.code, right.stdout]).toEqual([0, expect.not.stringContaining("only when you send")]);
    expect(await phones()).toEqual([]);
  });
});

describe("the message in a preview", () => {
  it("is shown where the mock has the template, before the question too", async () => {
    const { run } = await desk();
    const file = recipientsFile(two);
    const dry = await run(send(file, "--dry-run"));
    expect(dry.stdout).toContain("The message to +5491155550017\n│ Hola Leo, tu pedido 7 está listo.\n");
    const asked = await run(send(file, "--lang", "es"), {
      ...{ terminal: 80, answers: [false], env: { NO_COLOR: "1" } },
    });
    expect(asked.stderr).toContain("El mensaje a +5491155550017\n│ Hola Leo, tu pedido 7 está listo.\n");
    expect((await run(send(file, "--dry-run", "--json"))).stdout).not.toContain("Hola Leo");
  });

  it("is made of --template-text for a real service, of which nothing is asked", async () => {
    const { run, server } = await poster([took], { env: { NO_COLOR: "1" } });
    const { file, path } = await desk();
    file("text.txt", "Hola {{1}}:\r\n\r\ntu pedido {{ 2 }} y {{2}}, {{nombre}}.\n");
    const argv = send(recipientsFile(["+5491155550107,{{2}},118"]), "--template-text", path("text.txt"));
    const { stdout, code } = await run([...argv, "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toContain("│ Hola {{2}}:\n│\n│ tu pedido 118 y 118, {{nombre}}.\n");
    expect(server.requests).toHaveLength(0);
    const narrow = await run([...argv, "--dry-run"], { terminal: 24 });
    expect(narrow.stdout).toContain("│ tu pedido 118 y 118,\n│ {{nombre}}.\n");
    expect((await run([...argv, "--yes"])).code).toBe(0);
  });

  it("of --template-text has at most 1024 characters: a longer one is a row that is left out", async () => {
    const { run, file, path, phones } = await desk();
    file("text.txt", `Hola {{1}}: {{2}}${"…".repeat(1000)}`);
    const rows = [
      "+5491155550107,Ana,118",
      `+5491155550017,${"L".repeat(17)},7`,
      "+5491155550027,Eva,🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂",
    ];
    const argv = send(recipientsFile(rows), "--yes", "--template-text", path("text.txt"));
    const { code, stdout } = await run([...argv, "--json"]);
    expect(code).toBe(3);
    expect((JSON.parse(stdout) as { invalid: unknown[] }).invalid).toMatchObject([
      { line: 3, error: expect.stringContaining("has 1025 characters with this row's variables") as string },
    ]);
    expect(await phones()).toEqual(["+5491155550027", "+5491155550107"]);
  });

  it.each([
    ["missing", undefined, "input_unreadable", "text.txt"],
    ["empty", " \n", "input_unusable", "the --template-text file is empty"],
    ["binary", Buffer.from([1, 0, 2]), "input_unusable", "binary"],
    ["of one variable", "Hola {{1}}", "input_unusable", "it has 1 variable, and each row fills 2"],
    ["with a gap", "{{1}} {{3}}", "input_unusable", "it has the variable {{3}}, but not {{2}}"],
  ])("ends with 2 for a text that is %s, and nothing is sent", async (_, content, reason, words) => {
    const { run, file, phones, path } = await desk();
    if (content !== undefined) file("text.txt", content);
    const argv = send(people(3), "--yes", "--template-text", path("text.txt"), "--json");
    const { code, stderr, stdout } = await run(argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(errorOf(stderr)["reason"]).toBe(reason);
    expect(stderr).toContain(words);
    expect(await phones()).toEqual([]);
  });
});
