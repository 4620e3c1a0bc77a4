import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BrowserServer, chromium, type LaunchOptions } from "playwright-core";

const debian = "/usr/bin/chromium";
const unpacked = join(import.meta.dirname, "../node_modules/.chromium");

/** Unpacks the browser that is inside a package of npm, with the libraries that a machine without a desktop lacks. */
async function unpack(): Promise<void> {
  if (existsSync(unpacked)) return;
  const folder = `${unpacked}-${process.pid}`;
  await mkdir(folder);
  // The package takes from the environment where to unpack to, and that the libraries are wanted too.
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" };
  const script = 'await (await import("@sparticuz/chromium")).default.executablePath()';
  const cwd = import.meta.dirname;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd, env });
  // Another process may have been faster.
  await rename(folder, unpacked).catch(() => rm(folder, { recursive: true }));
}

/** CHROME_PATH, or Debian's chromium, or the one of the package; without its sandbox, which needs what root and most containers lack. */
async function launchOptions(): Promise<LaunchOptions> {
  const installed = process.env["CHROME_PATH"] ?? (existsSync(debian) ? debian : undefined);
  if (installed !== undefined) return { executablePath: installed };
  await unpack();
  // Its own libraries, and its fonts where there are none.
  const own = { LD_LIBRARY_PATH: join(unpacked, "al2023/lib"), XDG_DATA_HOME: unpacked };
  const env = { ...process.env, ...own } as Record<string, string>;
  return { executablePath: join(unpacked, "chromium"), env };
}

/** Starts a headless Chromium that several processes can connect to. */
export const launchServer = async (): Promise<BrowserServer> => chromium.launchServer(await launchOptions());

/** Starts a headless Chromium. */
export const launch = async () => chromium.launch(await launchOptions());
