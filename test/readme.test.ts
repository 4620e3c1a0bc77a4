import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeClock } from "./support/fake-clock.ts";
import { root, shell, temporaryFolder } from "./support/run.ts";
import { service } from "./support/service.ts";

interface Example {
  command: string;
  expected: string;
}

const pageOf = (name: string): string => readFileSync(join(root, name), "utf8");

/** Every `$ command` of a page's console blocks, with the output that stands below it. */
function examples(readme: string): Example[] {
  return [...readme.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block]) =>
    (block ?? "")
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...lines] = part.split("\n");
        return { command, expected: lines.join("\n").trimEnd() };
      }),
  );
}

/** The output as a pattern: `…` alone on a line stands for lines left out, at a line's end for the rest of it. */
function pattern(expected: string): RegExp {
  const lines = expected.split("\n").map((line) => {
    if (line === "…") return "(?:.*\\n)*?";
    const [text, rest] = line.endsWith(" …") ? [line.slice(0, -2), ".*"] : [line, ""];
    return `${text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}${rest}[ ]*\n`;
  });
  return new RegExp(`^${lines.join("")}\\n*$`);
}

it.each([
  ["README.md", "en"],
  ["README.es.md", "es"],
])("%s shows what its commands really print", async (name, lang) => {
  const readme = pageOf(name);
  // The clock of the mock that the page tells its reader to start.
  const noon = /`bpos mock --clock (\S+)`/.exec(readme)?.[1];
  if (noon === undefined)
    expect.fail("the README starts a mock without a clock, which has other orders each time");
  const clock = fakeClock(Date.parse(noon));
  const { mock } = await service({ clock: noon, now: () => clock.now() });
  const folder = temporaryFolder();
  symlinkSync(join(root, "fixtures"), join(folder, "fixtures"));
  let uuids = 0;
  const run = shell({
    env: { BPOS_MOCK: mock.baseUrl, NO_COLOR: "1", BPOS_LANG: lang },
    terminal: 92,
    clock,
    cwd: folder,
    uuid: () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, "0")}`,
  });
  const all = examples(readme);
  expect(all.length).toBeGreaterThanOrEqual(6);
  for (const { command, expected } of all) {
    const words = command.replace(/#.*/, "").trim().split(/\s+/);
    expect(words[0]).toBe("bpos");
    const { stdout } = await run(words.slice(1));
    expect(stdout, command).toMatch(pattern(expected));
  }
});
