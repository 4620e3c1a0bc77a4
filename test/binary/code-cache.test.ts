import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startMock } from "../../src/mock/index.ts";
import { runBinary } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";
import { soakIt } from "../support/soak.ts";

const help = async (env: Record<string, string>) => {
  const { code, stdout, stderr } = await runBinary(["--help"], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};

/** Returns the folder in which a home keeps compiled code. */
function codeOf(home: string) {
  const folder = join(home, "cache");
  const files = () => readdirSync(folder).map((name) => join(folder, name));
  return { folder, env: { BPOS_HOME: home, NODE_COMPILE_CACHE: "" }, files };
}

const inodes = (files: readonly string[]): number[] => files.map((file) => statSync(file).ino);

it("is used by the next run, and written anew where it is damaged", async () => {
  const { env, files } = codeOf(temporaryFolder());
  const said = await help(env);
  const kept = files();
  expect(kept.length).toBeGreaterThan(1);
  for (const file of kept) expect(statSync(file).mode & 0o777).toBe(0o600);
  const first = inodes(kept);
  expect(await help(env)).toBe(said);
  expect(inodes(files())).toEqual(first);

  for (const [n, file] of kept.entries()) {
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(file, n === 0 ? bytes.subarray(0, 2) : bytes);
  }
  expect(await help(env)).toBe(said);
  expect(inodes(kept).map((inode, n) => inode === first[n])).toEqual(kept.map(() => false));
});

soakIt(
  "is good for the next command after one that read a big file and used less memory for it",
  async () => {
    const mock = await startMock();
    onTestFinished(() => mock.close());
    const home = temporaryFolder();
    const { env: own, files } = codeOf(home);
    const env = { ...own, BPOS_MOCK: mock.baseUrl };
    const rows = Array.from(
      { length: 120_000 },
      (_, n) => `A${n};Un producto que tiene un nombre largo ${n};${n + 100}`,
    );
    const prices = join(home, "prices.csv");
    writeFileSync(prices, ["codigo;nombre;precio", ...rows].join("\n"));
    expect((await runBinary(["catalog", "check", prices], { env })).code).toBe(0);
    const first = files();
    const before = inodes(first);
    await runBinary(["orders", "list"], { env });
    expect(inodes(first)).toEqual(before);
  },
);

it("is kept only where nobody else may write, and where it may be kept", async () => {
  const { env, folder, files } = codeOf(temporaryFolder());
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const said = await help(env);
  expect(files()).toEqual([]);

  const none = codeOf(temporaryFolder());
  expect(await help({ ...none.env, NODE_DISABLE_COMPILE_CACHE: "1" })).toBe(said);
  expect(existsSync(none.folder)).toBe(false);
  writeFileSync(none.folder, "");
  expect(await help(none.env)).toBe(said);
});

it("is not kept below a folder whose content others could replace, nor through a link of theirs", async () => {
  const top = temporaryFolder();
  const { env, folder } = codeOf(join(top, "home"));
  const link = join(temporaryFolder(), "link");
  mkdirSync(join(top, "home"), { mode: 0o700 });
  symlinkSync(join(top, "home"), link);
  chmodSync(top, 0o777);
  const said = await help(env);
  expect(await help(codeOf(link).env)).toBe(said);
  expect(existsSync(folder)).toBe(false);
  chmodSync(top, 0o1777);
  expect(await help(codeOf(link).env)).toBe(said);
  expect(readdirSync(folder).length).toBeGreaterThan(1);
});

it("is read from a file itself, never from what a link leads to", async () => {
  const { env, files } = codeOf(temporaryFolder());
  const said = await help(env);
  const [kept = ""] = files();
  const elsewhere = join(temporaryFolder(), "code");
  copyFileSync(kept, elsewhere);
  rmSync(kept);
  symlinkSync(elsewhere, kept);
  expect(await help(env)).toBe(said);
  expect(lstatSync(kept).isFile()).toBe(true);
});

// Nobody but root can give a file away.
it.skipIf(process.geteuid?.() !== 0)("is not taken from another user", async () => {
  const top = temporaryFolder();
  const { env, folder, files } = codeOf(join(top, "home"));
  const said = await help(env);
  const [kept = ""] = files();
  const first = inodes([kept]);
  chownSync(kept, 65534, 65534);
  expect(await help(env)).toBe(said);
  expect(inodes([kept])).not.toEqual(first);

  rmSync(folder, { recursive: true });
  chownSync(top, 65534, 65534);
  expect(await help(env)).toBe(said);
  expect(existsSync(folder)).toBe(false);
});

it("is of what a run needs: the schemas of the endpoint that it calls, the texts of what it says", async () => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const { env, files } = codeOf(temporaryFolder());
  const topics = () =>
    files()
      .map((file) => basename(file).replace(/-[\w-]{8}\.cjs-.*$/, ""))
      .filter((name) => /^(contract|error-words|plurals|texts)\b/.test(name))
      .sort();
  const listed = await runBinary(["orders", "list", "--json"], { env: { ...env, BPOS_MOCK: mock.baseUrl } });
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(topics()).toEqual(["contract-order"]);

  const refused = await runBinary(["orders", "lst", "--lang", "es"], { env });
  expect(refused.stderr).toContain("bpos orders list");
  expect(topics()).toEqual(["contract-order", "error-words", "texts-es"]);
});

it("is not kept below a folder that can hold none", async () => {
  const bare = { HOME: "/proc", NODE_COMPILE_CACHE: "" };
  expect(await help(bare)).toContain("bpos");
});
