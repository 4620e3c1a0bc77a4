import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ShownBranch, watchStatus } from "../../../../src/orders/watch/screen/status-line.ts";
import { NOW, terminal, uncoloured, widest } from "../../../cli/ui.ts";
import { anyText } from "../../../support/texts.ts";

const minute = 60_000;
const answering = (more: Partial<ShownBranch> = {}): ShownBranch => ({
  name: "centro",
  state: "answering",
  lastAnswerAt: NOW - 3_000,
  nextPollAt: NOW + 57_000,
  waiting: 4,
  ...more,
});
const failing = (more: Partial<ShownBranch> = {}): ShownBranch =>
  answering({ state: "silent", lastAnswerAt: NOW - 5 * minute, ...more });
const line = (branches: ShownBranch[], width = 200, badge: "MOCK" | null = null): string =>
  uncoloured(watchStatus(branches, terminal(width, { badge })));

describe("the status line of one branch", () => {
  it("says whether the service answers, when it last did, when it is asked next, and what waits", () => {
    expect(line([answering()])).toBe(
      "centro · online · last response 3 s ago · next poll in 57 s · 4 waiting",
    );
    expect(line([answering({ nextPollAt: NOW })], 200, "MOCK")).toBe(
      "MOCK · centro · online · last response 3 s ago · polling now · 4 waiting",
    );
    expect(line([{ name: "centro", state: "awaited", waiting: 0 }])).toBe(
      "centro · waiting for the first response · polling now",
    );
  });

  it("says since when nobody answered, and that the key is refused", () => {
    expect(line([failing()])).toBe(
      "centro · no response · last response 5 min ago · next poll in 57 s · 4 waiting",
    );
    expect(line([failing({ lastAnswerAt: undefined })])).toBe("centro · no response · next poll in 57 s");
    expect(line([failing({ state: "refused" })])).toContain("centro · refused · last response 5 min ago");
  });
});

describe("the status line of several branches", () => {
  const many = Array.from({ length: 498 }, (_, index) =>
    answering({ name: `b${index}`, waiting: index < 3 ? 5 : 0, nextPollAt: NOW + index * 100 }),
  );
  const down = (...names: string[]): ShownBranch[] => names.map((name) => failing({ name }));

  it("counts them, names those that do not answer, and adds up what waits", () => {
    expect(line([...many, ...down("norte", "sur")])).toBe(
      "500 branches · 498 online, 2 without a response · norte, sur · last response 3 s ago · next poll in 0 s · 23 waiting",
    );
    expect(line([...many, ...down("norte", "sur")], 80)).toBe(
      "500 branches · 498 online, 2 without a response · norte, sur · 23 waiting",
    );
    expect(line([...many, ...down("norte", "sur")], 60)).toBe(
      "498 online, 2 without a response · 23 waiting",
    );
  });
});

it("is one line that leaves the last column free, whatever the names and times", () => {
  const time = fc.option(fc.oneof(fc.integer({ min: NOW - 1e9, max: NOW + 1e9 }), fc.double()), {
    nil: undefined,
  });
  const branch = fc.record({
    name: anyText({ maxLength: 60 }),
    waiting: fc.nat(),
    lastAnswerAt: time,
    nextPollAt: time,
    state: fc.constantFrom("answering", "refused", "silent", "awaited"),
  });
  fc.assert(
    fc.property(fc.array(branch, { maxLength: 6 }), fc.integer({ min: 1, max: 120 }), (branches, width) => {
      const text = line(branches, width, "MOCK");
      expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
      expect(widest(text)).toBeLessThan(Math.max(width, 1));
    }),
  );
});
