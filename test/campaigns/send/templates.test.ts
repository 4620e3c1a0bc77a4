import { expect, it } from "vitest";
import { errorOf, parse, people } from "../../support/campaigns.ts";
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
    expect(stderr.replace(/\s+/g, " ")).toMatch(/Check the (?:template's )?exact name/);
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
