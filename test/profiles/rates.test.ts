import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../support/profiles.ts";
import { temporaryFolder } from "../support/run.ts";

const profiles = {
  default: "centro",
  profiles: { centro: { api_key: "bpk_x_0123456789", odd: 1.5 }, norte: {} },
};

function desk() {
  const own = home();
  own.write(profiles);
  const folder = temporaryFolder();
  const rates = (content: string, ...more: string[]) => {
    const file = join(folder, "rates");
    writeFileSync(file, content);
    return own.run(["profile", "rates", file, ...more]);
  };
  return { ...own, rates };
}

it("profile rates saves a card of JSON or rows, each price as it was written", async () => {
  const { rates, stored } = desk();
  const { code, stdout } = await rates(
    '{"currency": "usd", "ar": "0.0618", "MX": 0.043600, "*": "0.08"}',
    "--json",
  );
  expect(code).toBe(0);
  const card = { currency: "USD", AR: "0.0618", MX: "0.043600", "*": "0.08" };
  expect(JSON.parse(stdout)).toEqual({ profile: "centro", rates: card });
  expect(stored().profiles["centro"]).toMatchObject({ odd: 1.5, rates: card });

  const rows = await rates("país;precio\nAR;0,0618\n*;12,5\n", "--currency", "ARS", "-p", "norte");
  expect(rows.stdout).toBe('The rate card of the profile "norte" has 2 prices in ARS.\n');
  expect(stored().profiles["norte"]).toEqual({ rates: { currency: "ARS", AR: "0.0618", "*": "12.5" } });
  await rates("AR,5\nUY,6\n", "--currency", "ARS");
  expect(stored().profiles["centro"]?.["rates"]).toEqual({ currency: "ARS", AR: "5", UY: "6" });
});

it("profile rates refuses what is no rate card, and saves nothing", async () => {
  const { rates, run, stored } = desk();
  for (const [content, said, ...more] of [
    ['{"AR": "1"}', "names no currency"],
    ['{"currency": "USD", "AR": "1", "AR": "2"}', "names AR twice"],
    ['{"currency": "USD", "UK": "1"}', '"UK" is no country'],
    ['{"currency": "USD", "AR": 1e3}', '"AR: 1e3" is no price'],
    ['{"currency": "USD", "AR": "1', "not valid JSON"],
    ["AR,1.250\n", '"AR: 1.250" is no price', "--currency", "ARS"],
    ["AR,1\nar,2\n", "names AR twice", "--currency", "ARS"],
    ["", "no rows", "--currency", "ARS"],
  ] as const) {
    const { code, stderr } = await rates(content, ...more);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  }
  expect(stored().profiles).toEqual(profiles.profiles);
  const { run: fresh } = home();
  expect((await fresh(["profile", "rates", "-"], { stdin: "{}" })).stderr).toContain("-p");
  expect((await run(["profile", "rates", "-", "-p", "sur"], { stdin: "{}" })).code).toBe(2);
});
