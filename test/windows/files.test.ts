import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBinary, startBinary } from "../support/binary.ts";
import { fixture } from "../support/run.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { pointedAt, service } from "../support/service.ts";
import { driveC, folderOnC, node, startBatch, toWindows, userOfWindows } from "./windows.ts";

/** Holds a file as a spreadsheet does: others may read it, and neither write nor replace it. Returns what lets go of it. */
async function hold(file: string): Promise<() => Promise<void>> {
  const folder = folderOnC();
  const [held, free, code] = ["held", "free", "wait.cjs"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(
    code,
    `const { existsSync, writeFileSync } = require("node:fs");
    writeFileSync(${JSON.stringify(toWindows(held))}, "");
    const timer = setInterval(() => existsSync(${JSON.stringify(toWindows(free))}) && clearInterval(timer), 20);`,
  );
  // cmd.exe lends a file that it reads to others for reading alone.
  const env = { NODE: node, CODE: toWindows(code), FILE: toWindows(file) };
  const holder = startBatch(['"%NODE%" "%CODE%" < "%FILE%"'], { env });
  await expect.poll(() => existsSync(held)).toBe(true);
  return async () => {
    writeFileSync(free, "");
    await holder.ended;
  };
}

const addProfile = (name: string, env: Record<string, string>) =>
  [
    [
      "profile",
      "add",
      name,
      "--base-url",
      env["BPOS_BASE_URL"]!,
      "--campaigns-url",
      env["BPOS_CAMPAIGNS_URL"]!,
      "--api-key-file",
      "-",
    ],
    env["BPOS_API_KEY"]!,
  ] as const;

describe("settings and state", () => {
  it("are in %APPDATA% and %LOCALAPPDATA%", async () => {
    const { env } = await service();
    const folder = folderOnC();
    const user = userOfWindows(folder);
    const [argv, key] = addProfile("centro", env);
    const added = await runBinary(argv, { env: user, stdin: key });
    expect(added.code, added.stderr).toBe(0);
    const watch = await runBinary(["-p", "centro", "orders", "watch", "--once", "-q"], { env: user });
    expect(watch.code, watch.stderr).toBe(0);
    expect(readdirSync(join(folder, "AppData/Roaming/bpos"))).toContain("config.json");
    expect(readdirSync(join(folder, "AppData/Local/bpos"))).toContain("journal.db");
    const files = await runBinary(["help", "files"], { env: user });
    expect(files.stdout).toContain(user.APPDATA);
    const listed = await runBinary(["profile", "list", "--json"], { env: user });
    expect(JSON.parse(listed.stdout)).toMatchObject({ default: "centro" });
    const doctor = await runBinary(["doctor", "-p", "centro", "--json"], { env: user });
    expect(JSON.parse(doctor.stdout), doctor.stdout).toMatchObject({ ok: true });
  });

  it("are changed though another program has the file open for a moment", async () => {
    const { env } = await service();
    const folder = folderOnC();
    const user = userOfWindows(folder);
    const [first, key] = addProfile("centro", env);
    await runBinary(first, { env: user, stdin: key });
    const release = await hold(join(folder, "AppData/Roaming/bpos/config.json"));
    const [second] = addProfile("norte", env);
    const adding = startBinary(second, { env: user, stdin: key });
    // Its new file is there: from now on it waits.
    const names = (): string[] => readdirSync(join(folder, "AppData/Roaming/bpos"));
    await expect.poll(() => names().some((name) => /^config\.json\.(?!lock)/.test(name))).toBe(true);
    await release();
    const { code, stderr } = await adding.ended;
    expect(code, stderr).toBe(0);
    expect(
      Object.keys(
        (
          JSON.parse(readFileSync(join(folder, "AppData/Roaming/bpos/config.json"), "utf8")) as {
            profiles: object;
          }
        ).profiles,
      ),
    ).toEqual(["centro", "norte"]);
  });

  it("may be deep in folders", async () => {
    const { env } = await service();
    const home = join(
      folderOnC(),
      ...Array.from({ length: 12 }, (_, n) => `carpeta con un nombre largo ${n}`),
    );
    expect(toWindows(home).length).toBeGreaterThan(300);
    const out = join(home, "pedidos");
    const watch = await runBinary(["orders", "watch", "--once", "-q", "--out-dir", toWindows(out)], {
      env: { ...env, BPOS_HOME: toWindows(home) },
    });
    expect(watch.code, watch.stderr).toBe(0);
    expect(readdirSync(out).length).toBeGreaterThan(1);
  });
});

describe("a price list", () => {
  it.each([
    "C:\\Datos\\lista ñ.xlsx",
    "\\Datos\\lista ñ.xlsx",
    "C:lista ñ.xlsx",
    ".\\lista ñ.xlsx",
    "C:/Datos/lista ñ.xlsx",
    "\\\\?\\C:\\Datos\\lista ñ.xlsx",
  ])("is read as %s", async (path) => {
    const cwd = join(driveC, "Datos");
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, "lista ñ.xlsx"), readFileSync(fixture("catalog.xlsx")));
    const { code, stdout, stderr } = await runBinary(["catalog", "check", path, "--json"], {
      cwd,
      env: userOfWindows(),
    });
    expect([0, 3], stderr).toContain(code);
    expect((JSON.parse(stdout) as { read: number }).read).toBeGreaterThan(1);
  });
});

describe("a report of rejected rows", () => {
  it("whose file a spreadsheet has open goes to the next free name, and says so", async () => {
    const { env } = await service({ scenario: "empty" });
    const folder = folderOnC();
    const file = join(folder, "lista.csv");
    const world = { cwd: folder, env: { ...env, ...userOfWindows(folder) } };
    const push = ["catalog", "push", "lista.csv", "--rejected", "rechazadas.csv", "--json"];
    writeFileSync(file, "codigo;nombre;precio\nA1;Pizza;9000\nA2;Fugazza;consultar\n");
    expect((await runBinary(push, world)).code).toBe(3);
    const before = readFileSync(join(folder, "rechazadas.csv"), "utf8");
    const release = await hold(join(folder, "rechazadas.csv"));
    writeFileSync(file, "codigo;nombre;precio\nA1;Pizza;9100\nA2;Fugazza;preguntar\n");
    const { code, stdout, stderr } = await runBinary(push, world);
    await release();
    expect(code, stderr).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ rejected_file: "rechazadas-2.csv" });
    expect(stderr).toContain("is open in another program");
    expect(readFileSync(join(folder, "rechazadas.csv"), "utf8")).toBe(before);
    expect(readFileSync(join(folder, "rechazadas-2.csv"), "utf8")).toContain("preguntar");
  });
});

describe("a folder of orders", () => {
  it("gets a file of each order, no device of Windows among them", async () => {
    const orders = ["CON", "nul", "com1", "a-1"].map((order_id, n) => ({
      order_id,
      status: "pendiente",
      created_at: 1_767_265_200_000 + n,
    }));
    const page = { orders, page: 1, per_page: 20, total: 4, has_more: false };
    const server = await scriptedServer({ ...on("GET /v1/orders", reply(page)), aside: true });
    const folder = folderOnC();
    const out = join(folder, "pedidos");
    const env = { ...pointedAt(server.url), ...userOfWindows(folder) };
    const watch = await runBinary(["orders", "watch", "--once", "-q", "--out-dir", "pedidos"], {
      cwd: folder,
      env,
    });
    expect(watch.code, watch.stderr).toBe(0);
    expect(readdirSync(out).sort()).toEqual(["CON_.json", "a-1.json", "com1_.json", "nul_.json"]);
  });
});
