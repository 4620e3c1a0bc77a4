import { campaignCases } from "./language-cases-campaigns.ts";
import { mockCases } from "./language-cases-mock.ts";
import { denied, down, files, go, keyless, world } from "./language-world.ts";
import type { Case } from "./two-languages.ts";

const inWorld = { ...world(), files };
const noService = { files };
const stationed: Partial<Case> = {
  ...{ files, env: { BPOS_HOME: "{dir}" } },
  before: ["profile station add xk --printer lp:xk --category xz".split(" ")],
};
const settingNames = [/^(?:profile|country|currency|days) /gm];
const profiles = { files, env: { BPOS_HOME: "{dir}" } };
/** The key comes in a pipe, and is asked for on a terminal. */
const key = (text: string): Partial<Case> => ({
  ...denied,
  env: {},
  files,
  stdin: text,
  answers: () => [text],
});
const send = "campaign send q.csv --template qwt";
const sent = { ...inWorld, before: [`${send} --ref r1 --yes`.split(" ")] };
const pushed = { ...inWorld, before: ["catalog push p.csv --changed-only".split(" ")] };
const jumped = { ...pushed, before: [...pushed.before, "catalog push one-up.csv".split(" ")] };
const again = { ...inWorld, before: ["catalog push bad.csv".split(" "), "catalog delete QX-1".split(" ")] };
const owing = { ...inWorld, before: [["orders", "watch", "--once", "--exec", "exit 3"]] };
const addProfile = "profile add xa --base-url {mock} --api-key-file -";
const isSaid = (_line: string, n: number, all: string[]): boolean =>
  n === 0 || n === all.length - 2 || all[n + 1]?.startsWith("$ ") === true;

/** Every command, each in a world of its own: at least once well, and as it fails where people meet it. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  "orders list": [
    go(0, "orders list", inWorld),
    go(0, "orders list -o csv", inWorld),
    go(0, "orders list -o ndjson", inWorld),
    go(0, "orders list", { mock: { scenario: "empty" } }),
    go(0, "orders list -vv --page 3", inWorld),
    go(9, "orders list", { env: { BPOS_API_KEY: "bpk_x_0123456789" } }),
    go(4, "orders list", keyless),
    go(4, "orders list", denied),
    go(6, "orders list --retries 1", world("GET /v1/orders status=503 times=9")),
    go(6, "orders list --retries 0", { ...world("GET /v1/orders garbage times=9"), data: [/"}.*not JSON"/] }),
    go(0, "orders list", world("GET /v1/orders shift times=9")),
    go(2, "orders list --frist"),
    go(2, "orders list --status qx"),
    go(2, "orders list --since qx"),
    go(2, "orders list --fields qx", inWorld),
    go(2, "orders lits"),
  ],
  "orders show": [
    go(0, "orders show 1", inWorld),
    go(0, "orders show 2", inWorld),
    go(11, "orders show 77", inWorld),
    go(0, "orders show 1 --print --printer file:{dir}/printed", inWorld),
    go(2, "orders show 1 --print", inWorld),
    go(2, "orders show 1 --printer lp:qx", inWorld),
    // On a terminal it asks which, and needs the service for that.
    go(4, "orders show", { exitInPipe: 2 }),
  ],
  status: [
    go(0, "status", noService),
    go(0, "status", sent),
    go(0, "status", {
      ...world("POST /campaigns status=502", "POST /v1/catalog/items status=502"),
      files,
      before: [
        ["orders", "watch", "--once", "-q", "--exec", "false"],
        `${send} --ref r1 --yes --retries 0`.split(" "),
        "catalog push p.csv --retries 0".split(" "),
      ],
    }),
    go(0, "status -o csv", sent),
    go(130, "status --watch", { ...sent, stopAtPause: true }),
    go(2, "status --max-age qx", noService),
  ],
  "journal status": [
    go(0, "journal status", noService),
    go(0, "journal status", sent),
    go(0, "journal status -o csv", sent),
  ],
  "journal copy": [
    go(2, "journal copy", noService),
    go(9, "journal copy --to postgres://u@127.0.0.1:1/d", noService),
  ],
  "journal accept-restore": [go(0, "journal accept-restore", noService)],
  "journal prune": [
    go(0, "journal prune --dry-run", noService),
    go(0, "journal prune --yes", sent),
    go(2, "journal prune --older-than 1d", noService),
  ],
  "printer test": [
    go(0, "printer test file:{dir}/printed", noService),
    go(0, "printer test file:{dir}/printed --paper 58 --printer-language star", noService),
    go(6, "printer test file:/dev/qx", { ...noService, data: [/ENOENT[^.\n]*/] }),
    // An installed `lp` says in its own words that there is no such queue.
    go(6, "printer test lp:qx", { ...noService, data: [/lp: .*/] }),
    go(2, "printer test usb", noService),
    go(2, "printer test", noService),
  ],
  "printer preview": [
    go(0, "printer preview", { ...noService, data: [/(?:[A-Z] )+|Íñigo Peña|Güemes .*Córdoba/g] }),
    go(0, "printer preview 1 --png {dir}/ticket.png", { ...inWorld, data: [/(?:[A-Z] )+/g] }),
    go(2, "printer preview qx", noService),
    go(2, "printer preview --layout {dir}/qx.json", { ...noService, data: [/qx\.json/] }),
  ],
  "orders watch": [
    go(0, "orders watch --once", inWorld),
    go(3, ["orders", "watch", "--once", "--exec", "exit 3"], inWorld),
    go(0, "orders watch --once --out-dir {dir}/o", inWorld),
    go(0, "orders watch --once --compact --notify --late 1ms", {
      ...{ ...inWorld, env: { PATH: "{dir}" }, data: [/notify-send/] },
    }),
    go(0, "orders watch --once", {
      ...inWorld,
      before: [["orders", "watch", "--once"], "mock orders set 1001 cancelado --url {mock}".split(" ")],
    }),
    go(2, "orders watch --exec-timeout 3s", inWorld),
    go(2, "orders watch --late qx", inWorld),
    go(130, "orders watch", { ...inWorld, stopAtPause: true }),
    go(0, "orders watch --once", owing),
  ],
  "orders forget": [
    go(0, "orders forget --output exec --yes", owing),
    go(0, "orders forget --output printer", owing),
    go(0, "orders forget --output exec", { ...owing, exitInPipe: 2, answers: () => [true] }),
    go(2, "orders forget --output qx", {
      ...inWorld,
      data: [/out-dir, exec, printer, notify, stdout/],
    }),
    go(2, "orders forget", { ...inWorld, data: [/out-dir, exec, printer, notify, stdout/] }),
  ],
  "catalog check": [
    go(0, "catalog check p.csv", noService),
    go(3, "catalog check bad.csv --fixed {dir}/f.csv", noService),
    go(3, "catalog check twice.csv", noService),
    go(2, "catalog check none.csv", noService),
    go(2, "catalog check config.json", { ...noService, exitInPipe: 2 }),
    go(2, "catalog check broken.json", { ...noService, data: [/Comma .* at position \d+/] }),
    go(3, "catalog check rows.json", noService),
  ],
  "catalog push": [
    go(0, "catalog push p.csv", inWorld),
    go(3, "catalog push bad.csv", inWorld),
    go(3, "catalog push bad.csv --dry-run", inWorld),
    go(3, ["catalog", "push", "bad.csv", "--on-failure", "exit 5"], inWorld),
    go(2, "catalog push bad.csv --strict", inWorld),
    go(0, "catalog push p.csv --changed-only", pushed),
    go(0, "catalog push jump.csv --dry-run", pushed),
    go(0, "catalog push jump.csv --confirm", { ...pushed, exitInPipe: 2, answers: () => [true] }),
    go(10, "catalog push one.csv --deactivate-missing", pushed),
    go(10, "catalog push jump.csv --max-price-change 50%", pushed),
    go(0, "catalog push jump.csv --max-price-change 900%", inWorld),
    go(2, "catalog push p.csv --max-price-change 0%", noService),
    go(0, "catalog push qw.csv", { ...inWorld, exitInPipe: 2, answers: () => ["qw"] }),
    go(4, "catalog push p.csv", { ...keyless, files }),
    go(4, "catalog push p.csv", { ...denied, files }),
    go(7, "catalog push p.csv --retries 0", { ...world("POST /v1/catalog/items drop times=9"), files }),
    go(130, "catalog push p.csv", {
      ...world("POST /v1/catalog/items status=503 times=9"),
      files,
      stopAtPause: true,
    }),
  ],
  "catalog diff": [
    go(0, "catalog diff p.csv", pushed),
    go(3, "catalog diff jump.csv --exit-code --report {dir}/d.xlsx", pushed),
    go(0, "catalog diff bad.csv", inWorld),
    go(2, "catalog diff p.csv --report d.csv", inWorld),
  ],
  "catalog delete": [
    go(0, "catalog delete QX-1", inWorld),
    go(0, "catalog delete QX-1 QX-9 --dry-run", inWorld),
    go(2, "catalog delete QX-1 --file p.csv", inWorld),
  ],
  "catalog undo": [
    go(0, "catalog undo", { ...jumped, exitInPipe: 2, answers: () => [true] }),
    go(3, "catalog undo --dry-run", pushed),
    go(10, "catalog undo --yes --max-price-change 10%", jumped),
    go(0, "catalog undo --yes", jumped),
    go(11, "catalog undo", inWorld),
    go(11, "catalog undo qx", pushed),
  ],
  "catalog history": [go(0, "catalog history", again), go(0, "catalog history", inWorld)],
  ...campaignCases,
  init: [
    go(0, "init", {
      ...{ ...denied, env: {}, files, exitInPipe: 2, data: [/ENOENT[^.\n]*/] },
      answers: ({ t }) => [
        ...["..", "xa", "ftp://x", "{mock}", "-", "bpk_demo_inactive", "AR", t("the real branch")],
        ...[t("Type the key again"), "bpk_demo_centro", true, "COM3", "file:/dev/qx", "file:{dir}/printed"],
        t("The row of digits continues in a second row: narrow paper"),
        t("Symbols such as [4 or i before the lines, or no cut"),
        t("Nothing, or the wrong printer: type the address again"),
        "-",
      ],
    }),
    go(0, "init", {
      ...{ ...denied, env: {}, files, exitInPipe: 2 },
      answers: ({ t }) => [
        ...["xa", "{mock}", "-", "bpk_demo_inactive", "AR"],
        ...[t("the real branch"), t("Save the profile as it is"), false],
      ],
    }),
  ],
  "profile add": [
    go(0, addProfile, key("bpk_demo_centro")),
    go(4, addProfile, key("bpk_demo_inactive")),
    go(2, "profile add ../x --api-key-file -"),
  ],
  "profile list": [
    go(0, "profile list", profiles),
    go(0, "profile list"),
    go(9, "profile list", { ...profiles, files: { "config.json": "{" } }),
  ],
  "profile use": [go(0, "profile use xb", profiles), go(11, "profile use xc", profiles)],
  "profile show": [
    // The settings have the names of the file.
    go(0, "profile show", { ...profiles, data: settingNames }),
    go(0, "profile show xb", {
      files,
      env: { ...profiles.env, BPOS_BASE_URL: "http://q" },
      data: settingNames,
    }),
    go(11, "profile show xc"),
    go(0, "profile show", { env: { BPOS_JOURNAL: "postgres://q@qx/q" }, data: settingNames }),
    go(9, "profile show", { env: { BPOS_JOURNAL: "qx" } }),
  ],
  "profile station add": [
    go(0, "profile station add xk --printer lp:xk --category xz", profiles),
    go(2, "profile station add xk --printer lp:xk", profiles),
    go(2, "profile station add xk --category xz", profiles),
  ],
  "profile station list": [go(0, "profile station list", stationed), go(0, "profile station list", profiles)],
  "profile station remove": [
    go(0, "profile station remove xk", stationed),
    go(11, "profile station remove xq", stationed),
  ],
  "printer stations": [go(0, "printer stations", inWorld)],
  "profile rename": [go(0, "profile rename xa xc", profiles), go(2, "profile rename xa xb", profiles)],
  "profile remove": [
    go(0, "profile remove xa --yes", profiles),
    go(2, "profile remove xa", { ...profiles, answers: () => [false] }),
  ],
  doctor: [
    go(0, "doctor", inWorld),
    go(4, "doctor"),
    go(6, "doctor --retries 0", down),
    go(4, "doctor", denied),
    go(9, "doctor", { ...inWorld, env: { BPOS_JOURNAL: "postgres://q@127.0.0.1:1/q" } }),
  ],
  // The output of its commands is above; here are the words between them.
  // Dishes are in the language of the shop.
  demo: [
    go(0, "demo", {
      plain: true,
      data: [/\d+ [A-Z][^$\n]*(?= {2}\$)/],
      part: (text) => text.split("\n").filter(isSaid).join("\n"),
    }),
  ],
  ...mockCases,
  help: [
    ...["", "environment", "errors", "errors key_missing"].map((topic) =>
      go(0, `help ${topic}`, { plain: true }),
    ),
    go(0, "help files", { plain: true, data: [/carpetas?\s+state/] }),
    // Its keys and values are English, and so is a shell.
    go(0, "help json", {
      plain: true,
      data: [/^.*":.*$/, /'\.orders\S+/, /\b(?:code|file|service|outcome|nothing|stale|replayed|at)\b/],
    }),
    go(0, "help exit-codes", { plain: true, data: [/^ {2}case [\s\S]*^ {2}esac/, /\bcode es/] }),
    go(2, "help qx"),
    go(0, "", { plain: true }),
    go(2, "orders"),
  ],
  completion: [go(0, "completion bash", { data: [/[\s\S]*/] }), go(2, "completion qx")],
  openapi: [go(0, "openapi")],
  schema: [
    go(0, "schema", { data: [/^ *(?:\w+ )+ *json.*$/gm] }),
    go(0, "schema orders list"),
    go(2, "schema orders lst"),
  ],
};
