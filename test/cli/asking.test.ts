import { describe, expect, it } from "vitest";
import { people, recipientsFile, send } from "../support/campaigns.ts";
import { shell, type World } from "../support/run.ts";
import { service } from "../support/service.ts";

/** A shell on a terminal whose person answers so, choices by their beginning; what they were asked is kept. */
async function asking() {
  const { mock, env } = await service({ seed: 1 });
  const run = shell({ env });
  const asked: string[] = [];
  const answering = (...answers: (string | boolean)[]): World => ({
    terminal: 100,
    prompts: {
      choose(question, choices) {
        asked.push(question, ...choices);
        const answer = String(answers.shift());
        return Promise.resolve(choices.findIndex((choice) => choice.startsWith(answer)));
      },
      text(question, { check }) {
        asked.push(question);
        expect(check(" ")).toBeDefined();
        return Promise.resolve(String(answers.shift()));
      },
      confirm: () => Promise.resolve(answers.shift() === true),
    },
  });
  return { mock, run, asked, answering };
}

describe("a missing argument", () => {
  it("is asked for on a terminal, and the line goes on", async () => {
    const { run, asked, answering, mock } = await asking();
    const { code, stdout } = await run(["catalog", "check", "--lang", "es"], answering(people(2)));
    expect(asked[0]).toMatch(/^<archivo> \(archivo CSV, .*\):$/);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    await run(send(people(1), "--yes"));
    const found = await run(
      ["mock", "reply", "--url", mock.baseUrl],
      answering("+5491150000007", "--hola a todos"),
    );
    expect(found.code).toBe(0);
    expect(found.stdout).toContain('+5491150000007 replied "--hola a todos"');
    const shells = await run(["completion"], answering("zsh"));
    expect(shells.stdout).toContain("#compdef bpos");
  });

  it("may be an order of those that are open", async () => {
    const { run, asked, answering } = await asking();
    const page = JSON.parse((await run(["orders", "list", "--json"])).stdout) as {
      orders: { order_id: number }[];
    };
    const id = String(page.orders[2]!.order_id);
    const { code, stdout } = await run(["orders", "show"], answering(id));
    expect([code, stdout.includes(id)]).toEqual([0, true]);
    expect(asked[0]).toBe("Which order?");
    expect(asked[3]).toMatch(new RegExp(`^${id} {2}\\(.* · .* · pendiente\\)$`));
    expect(asked.at(-1)).toBe("another …");
    expect((await run(["orders", "show", "--lang", "es"], answering("otro", "99"))).code).toBe(11);
  });

  it("may be a template of those that were sent before", async () => {
    const { run, asked, answering, mock } = await asking();
    await run(send(people(1), "--yes"));
    const file = recipientsFile(["+5491155550107,Ana,7"]);
    const { code } = await run(["campaign", "send"], answering(file, "pedido_listo", true));
    expect(code).toBe(0);
    expect(asked).toEqual([expect.stringMatching(/^<file> /), "Template:", "pedido_listo", "another …"]);
    expect(await mock.control.messages()).toHaveLength(2);
    const typed = await run(["campaign", "send", people(3)], answering("another", "aviso_simple", false));
    expect(typed.stderr).toContain("aviso_simple");
  });

  it.each([
    ["off a terminal", {}],
    ["with --no-input", { terminal: 80 }],
  ])("is named %s", async (_, world) => {
    const { run } = await asking();
    const more = "terminal" in world ? ["--no-input"] : [];
    for (const [line, words] of [
      ["orders show", "Missing argument <id>"],
      ["catalog push", "Missing argument <file>"],
      ["mock reply +549", "Missing argument <text>"],
      ["campaign send x.csv", "--template"],
    ] as const) {
      const { code, stderr } = await run([...line.split(" "), ...more], world);
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toContain(words);
    }
  });
});

it("ls is list", async () => {
  const { run } = await asking();
  for (const group of ["orders", "campaign", "profile"]) {
    const ls = await run([group, "ls", "--json"]);
    expect(ls).toEqual(await run([group, "list", "--json"]));
    expect(ls.code).toBe(0);
  }
  expect((await run(["help", "orders", "ls"])).stdout).toContain("bpos orders list");
  expect((await run(["orders", "--help"])).stdout).toMatch(/^ {2}list, ls +\S/m);
});
