import { expect, it } from "vitest";
import { parse, recipientsFile, send } from "../../support/campaigns.ts";
import { home } from "../../support/profiles.ts";
import { service } from "../../support/service.ts";

async function branch(...flags: string[]) {
  const { mock } = await service();
  const { run, stored, write } = home();
  const addresses = ["--base-url", mock.baseUrl, "--campaigns-url", mock.campaignsBaseUrl];
  const add = ["profile", "add", "centro", ...addresses, "--country", "AR", "--api-key-file", "-"];
  const added = await run([...add, ...flags], { stdin: "bpk_demo_centro" });
  return { mock, run, stored, write, added };
}

const own = (local: string): string => `as in ${local} if it is a mobile of your area, else 0AREA 15 …`;

it("the area code of the profile is proposed where a number lacks one, and never filled in", async () => {
  const { mock, run, stored } = await branch("--area-code", "011");
  expect(stored().profiles["centro"]).toMatchObject({ area_code: 11 });
  const shown = JSON.parse((await run(["profile", "show", "--json"])).stdout) as { settings: object[] };
  expect(shown.settings).toContainEqual({
    ...{ setting: "area_code", value: "11", source: "profile", from: "centro" },
  });
  const file = recipientsFile([
    "15 6123-4567,Ana,1",
    "+5491155550017,Leo,2",
    "4123-4567,Eva,3",
    "15 612-345,Ina,4",
  ]);
  const { stdout } = await run(send(file, "--yes", "--json"));
  const { recipients, invalid } = parse(stdout);
  expect(recipients).toMatchObject({ planned: 1 });
  expect(invalid.map(({ error }) => error)).toEqual([
    expect.stringContaining(own("011 15 6123-4567")),
    expect.stringContaining(own("011 15 4123-4567")),
    expect.stringContaining("as in 0AREA 15 …"),
  ]);
  expect((await mock.control.messages()).map(({ phone }) => phone)).toEqual(["+5491155550017"]);
  for (const argv of [["campaign", "find", "15 6123-4567"], send(file, "--test-to", "15 6123-4567")]) {
    const { code, stderr } = await run(argv);
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      2,
      expect.stringContaining(own("011 15 6123-4567")),
    ]);
  }
});

it("in the file it may be a text with its zero; without one nothing is proposed; letters are refused", async () => {
  const { run, stored, write } = await branch();
  const said = async (): Promise<string> => {
    const file = recipientsFile(["15 512-3456,Ana,1", "+5491155550017,Leo,2"]);
    const { stdout } = await run(send(file, "--dry-run", "--json"));
    return parse(stdout).invalid[0]?.error ?? "";
  };
  expect(await said()).toContain("as in 0AREA 15 …");
  const content = stored();
  write({ ...content, profiles: { centro: { ...content.profiles["centro"], area_code: "0351" } } });
  expect(await said()).toContain(own("0351 15 512-3456"));
  const { added } = await branch("--area-code", "x11");
  expect([added.code, added.stderr]).toEqual([2, expect.stringContaining("--area-code")]);
});
