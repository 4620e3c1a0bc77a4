import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { openInBrowser } from "../../src/system/programs.ts";
import { temporaryFolder } from "../support/run.ts";

afterEach(() => vi.unstubAllEnvs());

/** A folder whose xdg-open is this script, and nothing else on the PATH. */
function opener(script: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "xdg-open"), 0o755);
  vi.stubEnv("PATH", folder);
  return folder;
}

it.runIf(process.platform === "linux")(
  "gives the address to xdg-open, and knows whether it found a browser",
  async () => {
    const folder = opener('echo "$1" > "$PATH/url"');
    expect(await openInBrowser("http://127.0.0.1:4010/?a=1&b=2")).toBe(true);
    expect(readFileSync(join(folder, "url"), "utf8")).toBe("http://127.0.0.1:4010/?a=1&b=2\n");
    opener("exit 3");
    expect(await openInBrowser("http://127.0.0.1:4010/")).toBe(false);
    vi.stubEnv("PATH", temporaryFolder());
    expect(await openInBrowser("http://127.0.0.1:4010/")).toBe(false);
  },
);
