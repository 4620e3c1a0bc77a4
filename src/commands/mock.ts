import type { Command } from "commander";
import * as z from "zod";
import { BposError } from "../errors.ts";
import { en } from "../text/en.ts";
import { parseFlags, whole } from "./flag-values.ts";
import { globalShape } from "./global-flags.ts";
import { addExamples } from "./help-text.ts";
import { openOutput } from "./output.ts";
import type { Runtime } from "./runtime.ts";

const mockFlags = z.strictObject({
  ...globalShape,
  port: whole(0, 65_535).optional(),
  host: z.string().optional(),
  scenario: z.enum(["demo", "empty"], { error: "choose demo or empty" }).optional(),
  seed: whole(0, 2 ** 32 - 1).optional(),
  clock: z.iso
    .datetime({ offset: true, error: "a time with seconds and an offset, such as 2026-01-01T12:00:00-03:00" })
    .optional(),
  speed: z
    .string()
    .regex(/^\d+(\.\d+)?$/, { error: "a number such as 60" })
    .transform(Number)
    .optional(),
});
const defaultPort = 4010;

async function run(runtime: Runtime, raw: unknown): Promise<void> {
  const flags = parseFlags(mockFlags, raw);
  const { system, signal } = runtime;
  const output = openOutput(system, flags, ["table", "json", "ndjson"]);
  const { startMock } = await import("../mock/index.ts");
  const host = flags.host ?? "127.0.0.1";
  const port = flags.port ?? defaultPort;
  const { scenario, seed, clock, speed } = flags;
  const options = Object.fromEntries(
    Object.entries({ host, port, scenario, seed, clock, speed }).filter(([, value]) => value !== undefined),
  );
  const mock = await startMock({ ...options, now: () => system.clock.now() }).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new BposError("port_busy", { host, port });
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EACCES") {
      throw new BposError("usage_flag", { detail: `cannot listen on ${host} port ${port}: ${message}` });
    }
    throw error;
  });
  try {
    const line = {
      base_url: mock.baseUrl,
      campaigns_base_url: mock.campaignsBaseUrl,
      // The console page is not built yet.
      console_url: null,
      keys: mock.keys,
      pid: system.pid,
    };
    await output.data(`${JSON.stringify(line)}\n`);
    if (system.stderr.isTerminal)
      await output.block(`${en.notices.mockUp(mock.baseUrl, mock.keys[0]?.key ?? "")}\n`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    await mock.close();
  }
}

/** Declares `bpos mock`. */
export function declareMock(program: Command, runtime: Runtime): void {
  const words = en.help.mock;
  addExamples(program.command("mock").description(words.description), words.examples)
    .option("--port <n>", words.port)
    .option("--host <address>", words.host)
    .option("--scenario <name>", words.scenario)
    .option("--seed <n>", words.seed)
    .option("--clock <time>", words.clock)
    .option("--speed <factor>", words.speed)
    .action((_options, command: Command) => run(runtime, command.optsWithGlobals()));
}
