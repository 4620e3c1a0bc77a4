import { execFileSync } from "node:child_process";
import fs, {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeReport, writeReport } from "../../src/cli/files/report-files.ts";
import { isReason } from "../../src/errors.ts";
import { journalIn } from "../support/journal.ts";
import { temporaryFolder } from "../support/run.ts";

function desk() {
  const cwd = temporaryFolder();
  const journal = journalIn();
  const path = (name: string): string => join(cwd, name);
  return {
    cwd,
    path,
    write: (text: string, file = "r.csv") => writeReport({ cwd, pid: 7 }, journal, file, { chunks: [text] }),
    remove: (file = "r.csv") => removeReport({ cwd }, journal, file, []),
    put: (name: string, text: string) => writeFileSync(path(name), text),
    files: () => Object.fromEntries(readdirSync(cwd).map((name) => [name, readFileSync(path(name), "utf8")])),
  };
}

it("replaces a report that is as it was written, and keeps its mode", async () => {
  const { write, files, path } = desk();
  expect(await write("one")).toBe("r.csv");
  expect(statSync(path("r.csv")).mode & 0o777).toBe(0o600);
  chmodSync(path("r.csv"), 0o640);
  expect(await write("two", "./r.csv")).toBe("./r.csv");
  expect(await write("three", path("r.csv"))).toBe(path("r.csv"));
  expect(files()).toEqual({ "r.csv": "three" });
  expect(statSync(path("r.csv")).mode & 0o777).toBe(0o640);
});

it("leaves what others wrote or changed, and uses the next free name as long as that is so", async () => {
  const { write, put, files, remove, cwd } = desk();
  await write("one");
  put("r.csv", "corrected");
  put("r-2.csv", "of others");
  expect(await write("two")).toBe("r-3.csv");
  expect(await write("three")).toBe("r-3.csv");
  expect(files()).toEqual({ "r.csv": "corrected", "r-2.csv": "of others", "r-3.csv": "three" });
  await remove();
  expect(files()).toEqual({ "r.csv": "corrected", "r-2.csv": "of others" });
  // The same bytes under another name are no report of ours.
  put("copy.csv", "three");
  expect(await write("four", "copy.csv")).toBe("copy-2.csv");
  fs.rmSync(join(cwd, "copy.csv"));
  expect(await write("five", "copy.csv")).toBe("copy.csv");
  expect(Object.keys(files())).not.toContain("copy-2.csv");
});

it("uses an empty file, and does not remove one", async () => {
  const { write, put, files, remove } = desk();
  put("r.csv", "");
  await remove();
  expect(files()).toEqual({ "r.csv": "" });
  expect(await write("one")).toBe("r.csv");
});

it("knows its report again wherever a crash came", async () => {
  const { write, files } = desk();
  await write("one");
  const { renameSync } = fs;
  const put = (rename: typeof renameSync): void => {
    fs.renameSync = rename;
    syncBuiltinESMExports();
  };
  onTestFinished(() => put(renameSync));
  // Written and recorded, but not in its place; then in its place, and the rest never done.
  for (const crash of [() => undefined, renameSync]) {
    put((from, to) => {
      crash(from, to);
      throw new Error("killed");
    });
    await expect(write("two")).rejects.toSatisfy((error) => isReason(error, "output_unwritable"));
    put(renameSync);
    expect(await write("three")).toBe("r.csv");
    expect(files()).toEqual({ "r.csv": "three" });
  }
});

it("neither waits for a FIFO nor follows a link that leads nowhere", async () => {
  const { write, path, remove } = desk();
  execFileSync("mkfifo", [path("r.csv")]);
  symlinkSync(path("gone"), path("r-2.csv"));
  expect(await write("one")).toBe("r-3.csv");
  await remove();
  expect(lstatSync(path("r.csv")).isFIFO()).toBe(true);
  expect(readdirSync(path(".")).sort()).toEqual(["r-2.csv", "r.csv"]);
});
