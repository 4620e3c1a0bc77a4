import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { errorOf, parse, people, phone, rows, send } from "../../support/campaigns.ts";
import { shell } from "../../support/run.ts";
import { service } from "../../support/service.ts";

it.each([
  ["in two languages", ["promo_semana", "--params", "nombre"], /several languages|template_language/],
  ["that is not approved", ["encuesta", "--params", "nombre"], /not approved/],
  ["that does not exist", ["nada"], /nada/],
  ["whose header is missing", ["menu_pdf", "--params", "nombre"], /header/],
  ["with another number of variables", ["pedido_listo", "--params", "nombre"], /params/],
])(
  "a template %s: the service's message, what to look at, and nothing sent",
  async (_, template, message) => {
    const { mock, env } = await service();
    const [name = "", ...flags] = template;
    const argv = ["campaign", "send", people(3), "--template", name, ...flags, "--yes"];
    const { code, stdout, stderr } = await shell({ env, terminal: 80 })(argv);
    expect(code).toBe(5);
    expect(stdout).toContain("Refused: the service sent nothing.");
    expect(stderr).toMatch(message);
    expect(stderr.replace(/\s+/g, " ")).toContain("Check the template's exact name");
    expect(await mock.control.messages()).toEqual([]);
    const json = await shell({ env })([...argv, "--json"]);
    expect(errorOf(json.stderr)).toMatchObject({
      code: "refused",
      status: 400,
      service_code: "ERROR_CODE_INPUT_ERROR",
    });
    expect(parse(json.stdout)).toMatchObject({ outcome: "refused", campaigns: [] });
  },
);

it("an edited file under the same reference reaches only who is new, however it is written", async () => {
  const { mock, env } = await service();
  const run = shell({ env });
  const file = people(5);
  expect((await run(send(file, "--ref", "r", "--yes"))).code).toBe(0);
  const [first = "", ...others] = rows(5);
  // A row on top, a name corrected, another order, other line ends.
  const edited = [...rows(6, 5), ...others.reverse(), first.replace("Ana 0", "Anabel")];
  writeFileSync(file, `telefono,nombre,pedido\r\n${edited.join("\r\n")}\r\n`);
  const again = parse((await run(send(file, "--ref", "r", "--yes", "--json"))).stdout);
  expect(again).toMatchObject({ recipients: { read: 6, planned: 1, added: 1, already_sent: 5 } });
  const messaged = (await mock.control.messages()).map((message) => message.phone);
  expect(messaged.slice(5)).toEqual([phone(5)]);
  expect(messaged).toHaveLength(6);
});
