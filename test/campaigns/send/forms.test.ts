import { expect, it } from "vitest";
import { errorOf, parse, recipientsFile, send } from "../../support/campaigns.ts";
import { shell } from "../../support/run.ts";
import { service } from "../../support/service.ts";

const json = ["--yes", "--json"];

it.each([
  ["+541155550017", "+5491155550017"],
  ["011 4555-0017", "011 15 4555-0017"],
])("a line whose duplicate shows the mobile form is sent in that form: %s, %s", async (landline, mobile) => {
  const { mock, env } = await service();
  const run = shell({ env });
  const file = recipientsFile([`${landline},Ana,1`, `+5491155550018,Leo,2`, `${mobile},Ana Paz,3`]);
  const { stdout, stderr } = await run(send(file, "--country", "AR", ...json));
  expect(parse(stdout).recipients).toMatchObject({ planned: 2, added: 2 });
  const messages = await mock.control.messages();
  const expected = mobile.startsWith("+") ? mobile : "+5491145550017";
  expect(messages.map(({ phone }) => phone).sort()).toContain(expected);
  expect(JSON.stringify(messages)).toContain("Ana");
  expect(JSON.stringify(messages)).not.toContain("Ana Paz");
  expect(stderr).not.toMatch(/landline/i);
});

it("of those who got a template within the day, whoever failed is none, and is messaged", async () => {
  const { mock, env } = await service();
  const run = shell({ env });
  const [ana, off] = ["+5491155550003,Ana,1", "+5491155550000,Off,2"];
  expect((await run(send(recipientsFile([ana, off]), "--ref", "a", ...json))).code).toBe(0);
  await mock.control.moveClock({ advance_ms: 60_000 });

  const both = await run(send(recipientsFile([ana, off]), "--ref", "b", ...json));
  expect(both.code).toBe(10);
  expect(errorOf(both.stderr)).toMatchObject({ reason: "repeat_within_day", people: 1 });

  const again = await run(send(recipientsFile([off]), "--ref", "c", ...json));
  expect([again.code, parse(again.stdout).recipients]).toMatchObject([0, { planned: 1, added: 1 }]);
  expect((await mock.control.messages()).map(({ phone }) => phone).sort()).toEqual([
    "+5491155550000",
    "+5491155550000",
    "+5491155550003",
  ]);
});
