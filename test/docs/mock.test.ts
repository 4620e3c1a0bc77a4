import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixture, root, shell } from "../support/run.ts";
import { service } from "../support/service.ts";

const page = readFileSync(join(root, "docs/reference/mock.md"), "utf8");

it("docs/reference/mock.md shows the example that this suite runs, to the letter", () => {
  const example = readFileSync(join(root, "test/docs/mock-example.test.ts"), "utf8");
  expect(page).toContain(`\`\`\`ts\n${example}\`\`\``);
});

it("every command that docs/reference/mock.md shows runs", async () => {
  const commands = [...page.matchAll(/^- `bpos (mock [^`]+)`:/gm)].map(([, command]) => command ?? "");
  expect(commands).toHaveLength(12);
  const { mock, env } = await service({ clock: "2026-01-01T12:00:00-03:00" });
  const run = shell({ env });
  await run(["campaign", "send", fixture("recipients.csv"), "--template", "pedido_listo", "--yes"]);
  const [reached] = (await mock.control.messages()).filter(({ phone }) => phone.endsWith("0003"));
  for (const command of commands) {
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
    const argv = words.map((word) => (word === "+5491155550003" ? reached!.phone : word));
    const { code, stderr } = await run([
      ...argv.filter((word) => word !== "--follow"),
      "--url",
      mock.baseUrl,
    ]);
    expect(code, command).toBe(0);
    expect(stderr, command).toMatch(command.startsWith("mock reply") ? /^Nobody received/ : /^$/);
  }
});
