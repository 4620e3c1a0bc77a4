import { describe, expect, it } from "vitest";
import { openOutput } from "../../../../src/cli/display/output.ts";
import type { GuardedSystem } from "../../../../src/cli/runtime.ts";
import { openWatchScreen, type WatchScreen } from "../../../../src/orders/watch/screen/screen.ts";
import { ClosedPipeError, type OutStream } from "../../../../src/system.ts";
import { textsIn } from "../../../../src/texts/texts.ts";
import { fakeClock } from "../../../support/fake-clock.ts";
import { readStream } from "../../../support/run.ts";
import { screenAfter } from "../../../support/screen.ts";

const ERASE = "\r\u001b[K";

interface Stage {
  screen: WatchScreen;
  /** Text of both streams, in the sequence in which it arrived. */
  written: { to: "out" | "err"; text: string }[];
  /** Lets a second pass. */
  second: () => Promise<void>;
  /** Returns what a person sees: the lines above the last one, and the last one. */
  seen: () => { above: string[]; bottom: string };
  resize: (columns: number) => void;
  /** How many pauses are being slept. */
  asleep: () => number;
}

/** Runs everything that can run without the clock. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Setting {
  terminal?: boolean;
  quiet?: boolean;
  live?: boolean;
  fails?: (to: "out" | "err", text: string) => boolean;
}

/** A screen on a small terminal of our own; time stands still until `second`, unlike on the fake clock alone. */
function stage(branches: string[], setting: Setting = {}): Stage {
  const written: Stage["written"] = [];
  let columns = 80;
  const stream = (to: "out" | "err"): OutStream => ({
    isTerminal: setting.terminal ?? true,
    columns: () => columns,
    rows: () => 24,
    ...readStream,
    async write(text) {
      // A write takes its time: whoever does not wait for it is found out.
      await settle();
      if (setting.fails?.(to, text)) throw new ClosedPipeError();
      written.push({ to, text });
    },
  });
  const clock = fakeClock();
  const sleepers = new Set<() => void>();
  const system = {
    env: { NO_COLOR: "1" },
    stdout: stream("out"),
    stderr: stream("err"),
    clock: {
      now: () => clock.now(),
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          const wake = (): void => {
            sleepers.delete(wake);
            resolve();
          };
          sleepers.add(wake);
          signal?.addEventListener("abort", wake);
          if (signal?.aborted === true) wake();
        }),
    },
  } as unknown as GuardedSystem;
  const output = openOutput(
    { system, texts: textsIn("en"), outTexts: textsIn("en"), flags: { quiet: setting.quiet === true } },
    ["table"],
  );
  const drawAll = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await settle();
  };
  const signal = new AbortController().signal;
  const screen = openWatchScreen({ system, signal }, output, { live: setting.live ?? true });
  for (const name of branches) screen.update(name, {});
  return {
    screen,
    written,
    async second() {
      clock.advance(1_000);
      for (const wake of [...sleepers]) wake();
      await drawAll();
    },
    seen() {
      const lines = written
        .map(({ text }) => text)
        .join("")
        .split("\n");
      const shown = lines.map((line) => line.split(ERASE).at(-1) ?? "");
      return { above: shown.slice(0, -1), bottom: shown.at(-1) ?? "" };
    },
    resize: (width) => {
      columns = width;
    },
    asleep: () => sleepers.size,
  };
}

describe("the screen of a watch on a terminal", () => {
  it("draws the status line anew every second, with what was told meanwhile", async () => {
    const { screen, second, seen, written } = stage(["centro"]);
    await settle();
    await second();
    expect(seen().bottom).toBe("centro · waiting for the first response · polling now");
    const now = Date.UTC(2026, 0, 1, 12) + 1_000;
    screen.update("centro", { state: "answering", lastAnswerAt: now, nextPollAt: now + 60_000, waiting: 2 });
    await second();
    expect(seen().bottom).toBe("centro · online · last response 1 s ago · next poll in 59 s · 2 waiting");
    await second();
    expect(seen().bottom).toBe("centro · online · last response 2 s ago · next poll in 58 s · 2 waiting");
    expect(written.every(({ to, text }) => to === "err" && text.startsWith(ERASE))).toBe(true);
    await screen.close();
  });

  it("leaves nothing of the longer line in a window that has become narrower", async () => {
    const { screen, second, seen, written, resize } = stage(["centro"]);
    await settle();
    await second();
    // The terminal breaks the line in two.
    const rows = [seen().bottom.slice(0, 40), seen().bottom.slice(40)];
    resize(40);
    await second();
    const shown = screenAfter(rows.join("\n") + written.at(-1)!.text);
    expect(shown).toEqual(["centro · waiting for the first response"]);
    await screen.close();
  });

  it("lets tickets and notices scroll above it, in their order, whole", async () => {
    const { screen, second, seen } = stage(["centro"]);
    const all = [
      screen.print("╭ Order 1\n╰ end\n"),
      screen.say("No answer.\u001b[2J"),
      second(),
      screen.print("╭ Order 2\n"),
    ];
    await Promise.all(all);
    await settle();
    expect(seen()).toEqual({
      above: ["╭ Order 1", "╰ end", "No answer.␛[2J", "╭ Order 2"],
      bottom: "centro · waiting for the first response · polling now",
    });
    await screen.close();
  });

  it("is gone after close, sleeps no more, and then writes plainly", async () => {
    const { screen, second, seen, written, asleep } = stage(["centro"]);
    const ticket = screen.print("Order 1\n");
    await screen.close();
    await ticket;
    await settle();
    expect(seen()).toEqual({ above: ["Order 1"], bottom: "" });
    expect(asleep()).toBe(0);
    await screen.close();
    await second();
    const before = written.length;
    await screen.say("Bye.");
    await screen.print("Order 2\n");
    expect(written.slice(before)).toEqual([
      { to: "err", text: "Bye.\n" },
      { to: "out", text: "Order 2\n" },
    ]);
  });
});
