import { expect, it } from "vitest";
import { sentences, textFor } from "../../src/i18n/template.ts";

interface Facts {
  file: string;
  line?: number;
  rows: number;
  of: "send" | "push";
}

const facts: Facts = { file: "my list.csv", rows: 1, of: "push" };

it("fills holes, leaves out a part without its fact, and says each case", () => {
  const text = textFor<Facts>()({
    of: {
      send: "never",
      push: '{file:shell} "{file}"[, line {line}]: {rows|row is|rows are} wrong, and {rows?it|they} {rows?stays|stay}.',
    },
  });
  expect(text(facts)).toBe(`'my list.csv' "my list.csv": 1 row is wrong, and it stays.`);
  expect(text({ ...facts, line: 0, rows: 2 })).toBe(
    `'my list.csv' "my list.csv", line 0: 2 rows are wrong, and they stay.`,
  );
});

it("takes no hole of a fact's own text for one of its own", () => {
  expect(textFor<Facts>()("[{file}]: {rows}.")({ ...facts, file: "a{rows}[{of}]" })).toBe(
    "a{rows}[{of}]: 1.",
  );
});

it("does not compile with a hole or a case that no fact fills, nor without a case", () => {
  // @ts-expect-error: no such fact
  textFor<Facts>()("{files}");
  // @ts-expect-error: the fact may be absent
  textFor<Facts>()("line {line}");
  // @ts-expect-error: no such writer
  textFor<Facts>()("{file:shel}");
  // @ts-expect-error: no such fact
  textFor<Facts>()({ files: "some", else: "none" });
  // @ts-expect-error: a send has no text
  textFor<Facts>()({ of: { push: "a push" } });
  // @ts-expect-error: one kind has no text
  sentences<{ kind: "one" } | { kind: "other" }>()({ other: "other" });
  expect(textFor<Facts>()({ line: "line {line}", else: "no line" })(facts)).toBe("no line");
});
