import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examples } from "../../src/contract/examples.ts";
import { accepted } from "../support/push.ts";
import { root } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { isSoak } from "../support/soak.ts";

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "bpos-installation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const prefix = join(folder, "prefix");
const installed = join(prefix, "lib/node_modules/bpos");
const home = join(folder, "home");

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}
let packed: Packed;
let added: number;

/** Returns what npm prints as JSON. Packages that `npm ci` has fetched come from npm's own cache; the settings for a proxy stay. */
async function npm(args: string[]): Promise<unknown> {
  const quiet = ["--json", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"];
  const logs = ["--logs-dir", join(folder, "logs")];
  const { stdout } = await execute("npm", [...args, ...quiet, ...logs, "--prefer-offline"], { cwd: root });
  return JSON.parse(stdout);
}

beforeAll(async () => {
  if (!isSoak) return;
  mkdirSync(home);
  // A list, or an object by name: npm's versions differ.
  const list = await npm(["pack", "--pack-destination", folder]);
  packed = Object.values(list as Record<string, Packed>)[0]!;
  const tarball = join(folder, packed.filename);
  ({ added } = (await npm(["install", "--global", "--prefix", prefix, tarball])) as { added: number });
}, 120_000);

/** Runs the installed command as a user does whose environment is empty. */
async function bpos(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return execute(join(prefix, "bin/bpos"), args, {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home },
  });
}

/** The bytes of all files below a folder. */
function bytesIn(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0);
}

describe.runIf(isSoak)("a global installation from the tarball", () => {
  it("is light", () => {
    const own = bytesIn(installed) - bytesIn(join(installed, "node_modules"));
    const libsql = bytesIn(join(installed, "node_modules/@libsql"));
    const all = bytesIn(installed);
    process.stdout.write(
      `tarball ${packed.size} bytes, unpacked ${own}, ${added} packages; all installed ${all}, of it SQLite ${libsql}\n`,
    );
    expect(own).toBe(packed.unpackedSize);
    expect(packed.size).toBeLessThan(2_450_000);
    expect(own).toBeLessThan(8_100_000);
    expect(added).toBeLessThanOrEqual(7);
    // SQLite's own binaries differ from platform to platform.
    expect(all - libsql).toBeLessThan(14_400_000);
  });

  it("tells its version", async () => {
    expect(await bpos("--version")).toEqual({ stdout: `${manifest.version}\n`, stderr: "" });
  });

  it("brings its manual, which `man bpos` finds beside the command", async () => {
    const page = join(prefix, "share/man/man1/bpos.1");
    expect(readFileSync(page, "utf8")).toContain(".SS bpos orders watch");
    const PATH = `${join(prefix, "bin")}:${process.env["PATH"]}`;
    const found = await execute("man", ["-w", "bpos"], { env: { PATH } }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      // A machine without `man`.
      return { stdout: page };
    });
    expect(realpathSync(found.stdout.trim())).toBe(realpathSync(page));
  });

  it.each([
    ["v12.22.12", {}, "bpos needs Node 20.19 or newer, and this is v12.22.12.\n"],
    ["v20.18.3", { BPOS_LANG: "es" }, "bpos necesita Node 20.19 o posterior, y este es v20.18.3.\n"],
  ])("says in one line that Node %s is too old, and ends with 9", async (version, env, stderr) => {
    const older = join(folder, "older.cjs");
    writeFileSync(
      older,
      `Object.defineProperty(process, "version", { value: "${version}" });
       Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version.slice(1)}" } });`,
    );
    const run = execute(process.execPath, ["-r", older, join(installed, "bin/bpos.js"), "--version"], {
      env,
    });
    await expect(run).rejects.toMatchObject({ code: 9, stdout: "", stderr });
  });

  it("begins in syntax that a Node of years ago can read, with nothing imported before it looks", () => {
    const source = readFileSync(join(installed, "bin/bpos.js"), "utf8");
    expect(source).not.toMatch(/^import |\?\?|\?\.|^\s*await /m);
  });

  it("rehearses on the mock with what it brought along", async () => {
    const { stdout, stderr } = await bpos("--mock", "orders", "list", "--json");
    expect((JSON.parse(stdout) as { orders: unknown[] }).orders.length).toBeGreaterThan(0);
    expect(stderr).toBe("");
  });

  it("reads and writes workbooks", async () => {
    const prices = join(installed, "fixtures/input/libreoffice.xlsx");
    const { stdout } = await bpos("catalog", "check", prices, "--fixed", "f.xlsx", "--json");
    const first = JSON.parse(stdout) as { first: unknown };
    const again = JSON.parse((await bpos("catalog", "check", "f.xlsx", "--json")).stdout) as typeof first;
    expect(again).toMatchObject({ products: 4, first: first.first });
  });

  it("tours from its own fixtures", async () => {
    const { stdout, stderr } = await bpos("demo");
    expect(stdout).toContain("MOCK · Catalog push");
    // Output of its watches.
    expect(stderr).toMatch(/^\S+ Watching demo/);
  });
});

describe.runIf(isSoak)("the package", () => {
  it("holds what its users need and nothing of our workshop", () => {
    const paths = packed.files.map((file) => file.path);
    for (const needed of [
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
      "dist/THIRD-PARTY.txt",
      "docs/reference/service.md",
      ...["plist", "service", "xml"].map((kind) => `docs/service/bpos-watch.${kind}`),
      "man/bpos.1",
    ]) {
      expect(paths).toContain(needed);
    }
    expect(
      paths.filter((path) => /^(src|test|bench|docs\/decisions|node_modules|\.)|\.(map|mjs)$/.test(path)),
    ).toEqual([]);
  });

  it("is what publint wants", async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
    const pkg: unknown = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(messages.map((message) => formatMessage(message, pkg as Record<string, unknown>))).toEqual([]);
  });

  it.each(["dist/index.d.ts", "dist/mock/index.d.ts"])(
    "names in %s no types of what it left at home",
    (entry) => {
      const named = new Set(namedByTypes(join(installed, entry)));
      expect(
        [...named].filter((name) => !(name in manifest.dependencies) && !name.startsWith("node:")),
      ).toEqual([]);
      expect(named).toContain("zod");
    },
  );

  it("carries the licences of all that is bundled in it", () => {
    const notices = readFileSync(join(installed, "dist/THIRD-PARTY.txt"), "utf8");
    const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => readFileSync(join(root, "src", path), "utf8"));
    const used = Object.keys({ ...manifest.devDependencies, ...manifest.dependencies }).filter((name) =>
      sources.some((text) => text.includes(`"${name}"`) || text.includes(`"${name}/`)),
    );
    // One is installed, of the other there are only types.
    const bundled = used.filter((name) => !["libsql", "@commander-js/extra-typings"].includes(name));
    expect(bundled.length).toBeGreaterThan(7);
    for (const name of bundled)
      expect(notices).toMatch(
        new RegExp(
          `^${name} [\\w.-]+ \\((MIT|ISC|BSD-3-Clause|Apache-2\\.0|\\(MIT OR Apache-2\\.0\\))\\)$`,
          "m",
        ),
      );
    expect(notices).toContain("WITHOUT WARRANTY OF ANY KIND");
    expect(notices).toMatch(/^jq 1\.8[\s\S]*Stephen Dolan[\s\S]*Oniguruma/m);
  });
});

/** Returns the packages that the declarations of an entry, and those behind it, import. */
function namedByTypes(entry: string, seen = new Set<string>()): string[] {
  if (seen.has(entry)) return [];
  seen.add(entry);
  const text = readFileSync(entry, "utf8");
  return [...text.matchAll(/(?:\bfrom |\bimport\(|\bimport )"([^"]+)"/g)].flatMap(([, name = ""]) =>
    name.startsWith(".") ? namedByTypes(join(dirname(entry), name.replace(/\.ts$/, ".d.ts")), seen) : [name],
  );
}

const program = `
import { type BposError, type ClientOptions, createClient, endpoints, isReason, LosslessNumber, type Order, orderSchema, type OrderState, orderStates } from "bpos";
import { MockDataError, MockRefusal, type RunningMock, type StartMockOptions, startMock } from "bpos/mock";

// Were the types lost on the way, everything would be any, and these lines no errors.
// @ts-expect-error -- a field that no order has
export const lost = (order: Order): unknown => order.cliente.noSuchField.deeper;
// @ts-expect-error -- the mock has no such control
export const absent = (mock: RunningMock): unknown => mock.control.noSuchControl;

const options: StartMockOptions = { scenario: "demo", clock: "2026-01-01T12:00:00-03:00", timeouts: { headers: 1_000, request: 1_000 } };
const mock: RunningMock = await startMock(options);
const addresses: Pick<ClientOptions, "baseUrl" | "campaignsBaseUrl"> = mock;
const client = createClient({ ...addresses, apiKey: mock.keys[0]?.key ?? "" });
const state: OrderState = orderStates[0];
try {
  for await (const { body } of client.orderPages({ status: state })) {
    const orders: Order[] = body.orders;
    console.log(orders.map((order) => orderSchema.parse(order).order_id).join());
  }
  // @ts-expect-error -- no state of an order
  await client.listOrders({ status: "lost" }).catch((error: unknown) => isReason(error, "bug") && console.log((error satisfies BposError).reason));
} finally {
  await client.close();
  await mock.close();
}
const other = createClient({ baseUrl: process.env.BPOS_BASE_URL ?? "", campaignsBaseUrl: mock.baseUrl, apiKey: "bpk_docs" });
const total: unknown = (await other.listOrders({})).body.orders[0]?.total;
await other.close();
console.log(total instanceof LosslessNumber && total.value, endpoints.listOrders.path);
await startMock({ seed: 0.5 }).catch((error: unknown) => console.log(error instanceof MockRefusal && error.status));
await startMock({ data: process.argv[1] ?? "" }).catch((error: unknown) => console.log(error instanceof MockDataError && error.code));
`;
const example =
  /```ts\n(.*?)```/s.exec(readFileSync(join(root, "docs/reference/service.md"), "utf8"))?.[1] ?? "";
const sources = { program, example, mistake: example.replace("precio: 9000", 'precio: "9000"') };

const configOf = (module: string, moduleResolution: string) => ({
  compilerOptions: {
    ...{ target: "ES2023", lib: ["ES2023"], module, moduleResolution },
    ...{ strict: true, exactOptionalPropertyTypes: true },
    // All declarations of everybody take seven seconds; what ours name is looked up above.
    skipLibCheck: true,
    ...{ types: ["node"], typeRoots: [join(root, "node_modules/@types")], outDir: module, rootDir: "." },
  },
  files: Object.keys(sources).map((name) => `${name}.ts`),
});

describe.runIf(isSoak)("a project that has it installed", () => {
  const project = join(folder, "project");
  beforeAll(() => {
    mkdirSync(join(project, "node_modules"), { recursive: true });
    symlinkSync(installed, join(project, "node_modules/bpos"));
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(project, `${name}.ts`), text);
  });

  it("loads it with require, where Node can", async () => {
    const script = 'console.log(typeof require("bpos").createClient, typeof require("bpos/mock").startMock)';
    const { stdout } = await execute(process.execPath, ["--no-warnings", "-e", script], { cwd: project });
    expect(stdout).toBe("function function\n");
  });

  it.each([
    ["node16", "node16"],
    ["esnext", "bundler"],
  ])(
    "compiles (module %s, resolution %s) and runs, and the example of docs/reference/service.md does",
    {
      timeout: 60_000,
    },
    async (module, resolution) => {
      const config = join(project, `tsconfig.${module}.json`);
      writeFileSync(config, JSON.stringify(configOf(module, resolution)));
      const tsc = [join(root, "node_modules/typescript/bin/tsc"), "-p", config];
      // tsc prints what it found on standard output.
      const found = await execute(process.execPath, tsc).catch(
        (error: unknown) => error as { stdout: string },
      );
      expect(found.stdout).toMatch(
        /^\S*mistake\.ts\(.*: Type 'string' is not assignable to type 'number'\.\n$/,
      );

      const listed = examples.listOrders.response;
      const unusual = JSON.stringify(listed).replace(
        /"total":[\d.]+,"lin/,
        '"total":0.12345678901234567890,"lin',
      );
      const server = await scriptedServer(
        on("POST /v1/catalog/items", reply(accepted(1))),
        on("GET /v1/orders", reply(listed)),
        on("GET /v1/orders", reply(unusual)),
      );
      const run = async (name: string): Promise<string[]> => {
        const env = { BPOS_BASE_URL: server.url, BPOS_API_KEY: "bpk_docs" };
        const { stdout } = await execute(process.execPath, [join(project, module, `${name}.js`)], { env });
        return stdout.split("\n");
      };
      expect(await run("example")).toEqual(["1 accepted", "1042 9700", ""]);
      expect(await run("program")).toEqual([
        ...[
          "1001,1003,1005,1007",
          "bug",
          "0.12345678901234567890 /v1/orders",
          "400",
          "MOCK_DATA_REFUSED",
          "",
        ],
      ]);
    },
  );
});
