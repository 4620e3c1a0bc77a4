import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { terminalSvg } from "../../scripts/recordings/terminal-svg.ts";
import { root } from "../support/run.ts";

it.each(["demo", "watch", "push"])(
  "docs/images/%s.svg is small, plays by itself, and names nothing of who made it",
  (name) => {
    const svg = readFileSync(join(root, "docs/images", `${name}.svg`), "utf8");
    expect(svg.length).toBeLessThan(64 * 1024);
    expect(svg).toMatch(/<title>bpos /);
    expect(svg).toContain("prefers-reduced-motion");
    expect(svg).toContain("MOCK");
    expect(svg).not.toMatch(/<script|\/tmp\/|\/home\/|\/root\//);
  },
);

it("shows what a terminal shows: colours, columns, and a line that is drawn again", async () => {
  const written = [
    { at: 0, text: "\u001b[1mA  <b>\u001b[0m\r\n" },
    { at: 500, text: "one" },
    { at: 1_000, text: "\r\u001b[K\u001b[32mtwo\u001b[0m" },
  ];
  const svg = await terminalSvg(written, { columns: 20, rows: 3 }, "bpos & more");
  expect(svg).toContain("<title>bpos &#38; more</title>");
  expect(svg).toMatch(
    /<tspan x="0" [^>]*font-weight="700">A<\/tspan><tspan x="25" [^>]*>&#60;b&#62;<\/tspan>/,
  );
  expect(svg).toMatch(/fill="#98c379">two</);
  const [, last = ""] = /<g class="f last"[^>]*>(.*?)<\/g>/.exec(svg) ?? [];
  expect(last.match(/<use /g)).toHaveLength(2);
});
