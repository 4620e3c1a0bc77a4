import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { growthOf } from "./test/support/growth.ts";

const isSoak = process.env["BPOS_SOAK"] === "1";

const startsProcesses = ({ moduleId }: TestSpecification): boolean => moduleId.includes("/test/binary/");

/**
 * What starts processes comes first: to fork takes long once there is much in memory, and what they wait for passes beside other tests. In the
 * soak, what grows most comes next, or it would be the last and alone.
 */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    if (isSoak) sorted.sort((a, b) => growthOf(b.moduleId) - growthOf(a.moduleId));
    return sorted.sort((a, b) => Number(startsProcesses(b)) - Number(startsProcesses(a)));
  }
}

/** Tests that are not in the soak what they are in `npm test`. */
function growing(): string[] {
  const folder = fileURLToPath(new URL("test", import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && growthOf(join(folder, path)) > 0)
    .map((path) => `test/${path}`);
}

export default defineConfig({
  test: {
    include: isSoak ? growing() : ["test/**/*.test.ts"],
    // They need what is made or installed for a release, and Wine: they have configurations of their own.
    exclude: [...configDefaults.exclude, "test/release/**", "test/windows/**"],
    // One zone for every machine: the README shows local times.
    env: { TZ: "America/Argentina/Buenos_Aires" },
    globalSetup: ["test/support/suite.ts"],
    setupFiles: ["test/support/each-file.ts"],
    sequence: { sequencer: ProcessesFirst },
    testTimeout: isSoak ? 60_000 : 20_000,
    // A busy machine takes its time.
    expect: { poll: { timeout: 10_000, interval: 10 } },
    // No test leaves anything behind in a module, and to load them all for each file takes longer than the tests.
    isolate: false,
    // Much of what a test makes is garbage at once: with room for it, less is copied, which takes a tenth of the processor's time less.
    execArgv: ["--min-semi-space-size=32", "--max-semi-space-size=64"],
    // For two cores: many tests wait for a process or a pause. The soak keeps both cores busy.
    maxWorkers: isSoak ? 2 : 4,
  },
});
