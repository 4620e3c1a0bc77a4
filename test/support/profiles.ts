import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Run, shell, temporaryFolder, type World } from "./run.ts";

/** A key that no output may show. */
export const secretKey = "bpk_live_S3cretPart0123456789";

/** A home that is not there yet, and what is needed to look into it. */
export interface Home {
  folder: string;
  file: string;
  run: (argv: string[], world?: World) => Promise<Run>;
  stored: () => { default?: string; profiles: Record<string, Record<string, unknown>> };
  write: (content: unknown, mode?: number) => void;
}

/** A home of its own, with the means to look into its profiles. */
export function home(world: World = {}): Home {
  const folder = join(temporaryFolder(), "home");
  const file = join(folder, "config.json");
  return {
    folder,
    file,
    run: shell({ ...world, env: { BPOS_HOME: folder, ...world.env } }),
    stored: () => JSON.parse(readFileSync(file, "utf8")) as ReturnType<Home["stored"]>,
    write(content, mode = 0o600) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode });
    },
  };
}

/** The mode of a file or folder, in octal digits. */
export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Adds a profile without asking the service; the key is on standard input. */
export const addUnchecked = (name: string, ...more: string[]): string[] => [
  ...["profile", "add", name, "--base-url", "http://127.0.0.1:9", "--api-key-file", "-", "--no-check"],
  ...more,
];
