import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { shell, temporaryFolder, type World } from "../../support/run.ts";
import { seed, sized } from "../../support/soak.ts";
import { launchdArgv, systemdArgv, taskArgv } from "./readers.ts";

const program = ["/usr/bin/node", "/usr/local/bin/bpos"];
const watch = ["orders", "watch", "--all-profiles", "--out-dir", "/srv/orders"];

let run: ReturnType<typeof shell>;
beforeEach(() => {
  run = shell();
});

/** What is printed for a line, and what is said of it. */
async function print(kind: string, words: readonly string[], world?: World) {
  const { code, stdout, stderr } = await run(["service", "print", kind, "--", ...words], world);
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  return { text: stdout, said: stderr };
}

const settings = (unit: string, name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

describe("a unit of systemd", () => {
  it("runs exactly the command, as a user of its own that keeps its state", async () => {
    const { text, said } = await print("systemd", [...watch, "-q"]);
    expect(text).toContain(`\nExecStart=${[...program, ...watch, "-q"].join(" ")}\n`);
    expect(text).toContain("\nWants=network-online.target\nAfter=network-online.target\n");
    expect(text).toContain("\nUser=bpos\nStateDirectory=bpos\nStateDirectoryMode=0700\n");
    expect(text).toContain("\nEnvironment=BPOS_HOME=%S/bpos\n");
    expect(text).toContain("\nSuccessExitStatus=130\nRestartPreventExitStatus=2 4\n");
    expect(settings(text, "Restart")).toEqual(["always"]);
    expect(settings(text, "ReadWritePaths")).toEqual(["/srv/orders"]);
    expect(settings(text, "PrivateDevices")).toEqual(["yes"]);
    expect(settings(text, "MemoryDenyWriteExecute")).toEqual(["no"]);
    expect(text).toContain("#   systemctl enable --now bpos-orders-watch\n");
    expect(text).toMatch(/\[Install\]\nWantedBy=multi-user.target\n$/);
    expect(said).toBe("");
  });

  it.each([
    ["orders watch --once --out-dir /srv/orders -q", "oneshot"],
    ["catalog push /srv/prices.csv", "oneshot"],
    ["campaign status --ref enero", "oneshot"],
    ["campaign status --ref enero --watch", undefined],
    ["campaign listen --exec x", undefined],
    ["mock", undefined],
  ])("of `%s` runs once or until it is stopped", async (line, type) => {
    const { text } = await print("systemd", line.split(" "));
    expect(settings(text, "Type")).toEqual(type === undefined ? [] : [type]);
    expect(settings(text, "Restart")).toEqual(type === undefined ? ["always"] : []);
    expect(text.includes("[Install]")).toBe(type === undefined);
  });

  it("lets the command write where it has to, and nowhere else", async () => {
    const push = ["catalog", "push", "/srv/in/prices.csv", "--rejected", "/srv/out put/100%.csv"];
    const { text } = await print("systemd", push);
    expect(settings(text, "ReadWritePaths")).toEqual(['"/srv/out put"']);
    const odd = await print("systemd", ["orders", "watch", "-q", "--out-dir", `/srv/a"b'c\\d %h`]);
    expect(settings(odd.text, "ReadWritePaths")).toEqual([`/srv/a'"'"b'c\\d %%h"`]);
    const near = await print("systemd", ["orders", "watch", "-q", "--out-dir", "/tmp/o"]);
    expect(settings(near.text, "PrivateTmp")).toEqual(["no"]);
  });

  it("gives it the devices of its printer, before they are connected too", async () => {
    const one = await print("systemd", ["orders", "watch", "-q", "--printer", "file:/dev/usb/lp0"]);
    expect(settings(one.text, "DeviceAllow")).toContain("/dev/usb/lp0 rw");
    expect(settings(one.text, "DeviceAllow")).toContain("char-usb rw");
    expect(settings(one.text, "SupplementaryGroups")).toEqual(["lp dialout"]);
    expect(settings(one.text, "PrivateDevices")).toEqual([]);
    const ofProfiles = await print("systemd", ["orders", "watch", "-q", "--printer"]);
    expect(settings(ofProfiles.text, "DeviceAllow")[0]).toBe("char-usb rw");
    const network = await print("systemd", ["orders", "watch", "-q", "--printer", "tcp://192.168.1.50"]);
    expect(settings(network.text, "DeviceAllow")).toEqual([]);
    const plain = await print("systemd", ["orders", "watch", "-q", "--printer=file:/srv/paper/x"]);
    expect(settings(plain.text, "ReadWritePaths")).toEqual(["/srv/paper"]);
  });

  it("has the profile in its name, so that two branches are two services", async () => {
    const { text } = await print("systemd", ["-p", "Centro 2", "orders", "watch"]);
    expect(text).toContain("/etc/systemd/system/bpos-orders-watch-Centro-2.service");
  });
});

describe("a relative path", () => {
  it.each([
    [["orders", "watch", "--out-dir", "orders", "--consumer", "orders"], ["/srv/x/orders"]],
    [["orders", "watch", "--out-dir=orders", "-qp", "orders"], ["/srv/x/orders"]],
    [
      ["catalog", "push", "--rejected=r.csv", "--", "-prices.csv"],
      ["/srv/x/r.csv", "/srv/x/-prices.csv"],
    ],
    [
      ["--api-key-file", "key", "catalog", "push", "../p.csv"],
      ["/srv/x/key", "/srv/p.csv"],
    ],
    [["orders", "watch", "--printer", "file:dev/lp0"], ["file:/srv/x/dev/lp0"]],
    [["catalog", "push", "-", "--rejected", "/srv/r.csv"], []],
    [["orders", "watch", "--printer", "--out-dir", "o"], ["/srv/x/o"]],
  ] as const)("of %j is made absolute and told", async (words, absolute) => {
    const { text, said } = await print("systemd", words, { cwd: "/srv/x" });
    const before = words.map((word) => word.replace(/^--[a-z-]+=/, ""));
    const after = systemdArgv(text)
      .slice(2)
      .map((word) => word.replace(/^--[a-z-]+=/, ""));
    expect(after).toHaveLength(before.length);
    expect(after.filter((word, n) => word !== before[n])).toEqual(absolute);
    expect(said.match(/ is (\S+) in it\./g) ?? []).toEqual(absolute.map((path) => ` is ${path} in it.`));
  });
});

describe("what would surprise", () => {
  it("is said on standard error, with -q too", async () => {
    const env = {
      BPOS_API_KEY: "bpk_1234567890abcdef",
      BPOS_JOURNAL: "postgres://bpos:s3cret-word@db/bpos",
      HTTPS_PROXY: "http://proxy:3128",
    };
    const words = ["--mock", "orders", "watch", "--out-dir", "/home/ana/orders"];
    const before = ["-q", "-p", "centro", "--ca-file", "x", "service", "print", "systemd", "--"];
    const { code, stdout, stderr } = await run([...before, ...words], { env });
    expect(code).toBe(0);
    expect(stderr).toContain("--profile, --ca-file before `--` is no part of the command");
    expect(stderr).toContain("--mock: nothing real happens");
    expect(stderr).toContain("of this shell: BPOS_API_KEY, BPOS_JOURNAL, HTTPS_PROXY.");
    expect(stderr).toContain("/home/ana/orders is in a home folder");
    expect(stderr).toContain("Each order is also printed to the log");
    expect(stdout + stderr).not.toMatch(/bpk_1234|s3cret-word/);
    expect(settings(stdout, "ProtectHome")).toEqual(["read-only"]);
  });

  it("is said in Spanish", async () => {
    const { text, said } = await print("launchd", ["--mock", "orders", "watch"], {
      env: { BPOS_LANG: "es" },
    });
    expect(said).toContain("El comando lleva --mock: en este servicio no pasa nada real.\n");
    expect(text).toContain("Arranca cuando inicias sesión");
  });
});

describe("a line that bpos would not take", () => {
  it.each([
    [["orders", "wacth"], "Unknown command `bpos orders wacth`. Did you mean `bpos orders watch`?"],
    [["orders", "watch", "--out-dri", "x"], "Unknown flag --out-dri. Did you mean --out-dir?"],
    [["orders", "watch", "--interval", "soon"], 'Invalid value "soon" for --interval.'],
    [["orders", "watch", "--out-dir"], "`--out-dir <folder>` needs a value."],
    [["orders", "watch", "-o", "yaml"], 'Invalid value "yaml" for --output.'],
    [["orders"], "Missing command after `bpos orders`."],
    [["orders", "watch", "--help"], "Missing command after `bpos`."],
    [["catalog", "push"], "Missing argument <file>."],
    [["orders", "watch", "--exec", "a\u001b[2J"], 'Invalid value "a␛[2J" for <command>.'],
    [["orders", "watch", "--out-dir", "/srv/a\nb"], "Invalid value"],
    [[], "Missing command after `bpos service print`."],
  ])("%j ends with 2, as if it were typed", async (words, message) => {
    const { code, stdout, stderr } = await run(["service", "print", "systemd", "--", ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.each([
    [["service", "print", "upstart", "--", ...watch], 'Invalid value "upstart" for <kind>.'],
    [["service", "print", "systemd", ...watch], "Unknown flag --all-profiles."],
    [["service", "print", "systemd", "-o", "json", "--", ...watch], "Unsupported output format: -o json."],
  ])("nor does it take %j", async (argv, message) => {
    const { code, stdout, stderr } = await run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("runs nothing of the line, and asks nothing", async () => {
    const folder = temporaryFolder();
    const line = ["catalog", "push", join(folder, "missing.csv"), "--on-failure", `touch ${folder}/ran`];
    await print("systemd", line, { terminal: 80 });
    expect(readdirSync(folder)).toEqual([]);
  });
});

it("completes the command behind --", async () => {
  const words = ["service", "print", "systemd", "--", "orders", "watch", "--out"];
  const { stdout } = await run(["__complete", "zsh", "--", ...words]);
  expect(stdout).toContain("--out-dir\t");
});

describe("whatever the words are, the service gets them", () => {
  const hostile = fc.constantFrom(
    ...[
      "%h",
      "%%",
      "$HOME",
      "{HOME}",
      "$$",
      ";",
      "\\",
      '"',
      "'",
      " ",
      "\n",
      "\t",
      "<",
      "&",
      "]]>",
      "--",
      "é",
    ],
    ...["%PATH%", "$(Arg0)", "\\\\", "😀", "-x", "#", "=", "|"],
  );
  const text = fc
    .oneof(
      fc.array(hostile, { maxLength: 6 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    )
    .map((word) => word.replace(/[\p{Cs}\p{Noncharacter_Code_Point}]|(?![\t\n\r])\p{Cc}/gu, ""))
    .filter((word) => word !== "");
  const line = fc
    .tuple(text, text, fc.boolean())
    .map(([exec, failure, isInline]) => [
      ...["orders", "watch", "-q"],
      ...(isInline ? [`--exec=${exec}`] : ["--exec", exec]),
      ...["--on-failure", failure],
    ]);
  const check = (test: (words: string[]) => Promise<void>): Promise<void> =>
    fc.assert(fc.asyncProperty(line, test), { numRuns: sized(30, 2000), seed });

  it("from systemd", async () => {
    await check(async (words) => {
      const { text } = await print("systemd", words);
      expect(systemdArgv(text)).toEqual([...program, ...words]);
    });
  });

  it("from launchd, which starts it again unless it ended well", async () => {
    await check(async (words) => {
      const { text } = await print("launchd", words, { platform: "darwin" });
      expect(launchdArgv(text)).toEqual([...program, ...words]);
    });
    const { text, said } = await print("launchd", [...watch, "-q"], { platform: "darwin" });
    expect(said).toBe("");
    expect(text).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
    expect(text).toMatch(/<key>StandardErrorPath<\/key>\s*<string>.*\/Library\/Logs\/bpos-orders-watch.log</);
    expect(text.match(/<!--.*?-->/gs)?.map((comment) => comment.slice(4, -3).includes("--"))).toEqual([
      false,
    ]);
  });

  it("from the Task Scheduler, which replaces no variable in them", async () => {
    const env = { USERNAME: "Ñandú", USERDOMAIN: "SHOP" };
    await check(async (words) => {
      const { text } = await print("task", words, { platform: "win32", env });
      expect(text).not.toMatch(/\P{ASCII}/u);
      expect(text).toContain("<UserId>SHOP&#92;&#209;and&#250;</UserId>".replace("&#92;", "\\"));
      const { line: started, argv } = taskArgv(text);
      expect(argv).toEqual([...program, ...words]);
      expect(started).not.toMatch(/%\w+%|\$\(Arg/);
    });
  });

  it("from the Task Scheduler: each minute while it does not run, without a limit", async () => {
    const { text, said } = await print("task", [...watch, "-q"], { platform: "win32" });
    expect(text).toMatch(/<BootTrigger>\s*<Repetition>\s*<Interval>PT1M</);
    expect(text).toContain("<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>");
    expect(text).toContain("<MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>");
    expect(said).toContain("schtasks /Create /TN bpos-orders-watch /XML FILE");
    const once = await print("task", ["catalog", "push", "C:\\prices.csv"], { platform: "win32" });
    expect(once.text).not.toContain("BootTrigger");
  });
});
