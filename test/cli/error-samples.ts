import type {
  CopyProblem,
  LayoutProblem,
  OwnDetail,
  ProfileProblem,
  UsageProblem,
  WorldProblem,
} from "../../src/errors/problems.ts";
import { BposError, type ErrorFacts, type ErrorReason } from "../../src/errors.ts";
import { databases, each } from "./error-kinds.ts";
import { values } from "./value-samples.ts";

/** The answer to a campaign that was refused. */
const call = {
  endpoint: "POST /campaigns",
  origin: "http://127.0.0.1:4010",
  attempts: 5,
  status: 403,
  serviceCode: "ERROR_CODE_ACCESS_DENIED",
  serviceMessage: "Clave API inválida.",
};

const { status: _status, serviceCode: _code, serviceMessage: _message, ...unanswered } = call;
/** Text of the system, in no language. */
const said = "EACCES: /srv/bpos";

/** One set of facts for every reason: a new reason does not compile without. What is ours to say in them is no word of English. */
const samples: ErrorFacts = {
  bug: { detail: "TypeError: x()" },
  usage_flag: { problem: { kind: "codes_missing" } },
  not_a_terminal: { flag: "--yes" },
  address_missing: { which: "campaigns_base_url" },
  key_missing: {},
  key_unreadable: { source: "clave.txt", detail: said },
  tls_unchecked: { origin: "https://pos.example.com" },
  secret_unusable: { source: "secreto.txt", detail: { kind: "secret_form", min: 8, max: 512 } },
  key_command_failed: { profile: "centro", problem: { kind: "exit", code: 1 } },
  profile_missing: { name: "norte", similar: null, known: ["centro"], file: "profiles.json" },
  profiles_none: { file: "config.json" },
  station_not_found: { profile: "centro", name: "bar", similar: "barra", known: ["barra"] },
  config_open: { file: "config.json", open: [{ path: "config.json", mode: "644", fix: "600" }] },
  config_unreadable: { file: "profiles.json", detail: { kind: "not_json" } },
  journal_unreadable: { file: "journal.db", detail: { kind: "journal_newer" } },
  copy_refused: { to: "db.example.com:5432/bpos", problem: { kind: "not_empty" } },
  journal_damaged: { file: "journal.db", detail: "SQLITE_NOTADB" },
  journal_older: { file: "journal.db", sends: [{ ref: "lunes", template: "promo", at: 1_700_000_000_000 }] },
  clock_ahead: { aheadMs: 4_000_000 },
  rows_unreadable: { rows: 2 },
  too_many_missing: { missing: 300, known: 900, limit: "20%" },
  push_not_found: { push: "4c1f02ae" },
  push_not_kept: { push: "4c1f02ae" },
  price_change_too_large: {
    ...{ limit: "50%", count: 3 },
    prices: [{ codigo: "A1", nombre: "Pizza", old_price: 1600, new_price: 1.6, change_percent: -99.9 }],
  },
  world_unusable: { file: "mock-world.db", problem: { kind: "newer" } },
  proxy_unusable: { variable: "HTTPS_PROXY", scheme: "socks5" },
  layout_unusable: { file: "layout.json", problem: { kind: "block_missing", block: "notes" } },
  ca_file_unusable: { file: "red.pem", problem: { kind: "no_certificate" } },
  client_cert_unusable: { file: "caja.pem", problem: { kind: "no_key" } },
  header_unusable: { url: "https://cdn.example.com/promo.gif", problem: { kind: "other_type" } },
  header_unreachable: { url: "https://cdn.example.com/promo.jpg", problem: { kind: "status", status: 503 } },
  output_unwritable: { file: "salida.csv", detail: said },
  order_file_taken: { file: "orders/17.json" },
  printer_failed: { printer: "tcp://10.0.0.9", problem: { kind: "paper_out" }, maybe: true },
  exec_failed: {
    ...{
      program: "lp",
      outputNumber: 1,
      orderId: "17",
      exitCode: 1,
      killedBy: null,
      timedOutMs: null,
      detail: "E_PAPEL",
    },
  },
  port_busy: { host: "127.0.0.1", port: 4010, pid: 4711 },
  memory_short: { detail: said },
  port_denied: { host: "127.0.0.1", port: 80 },
  input_unreadable: { file: "precios.csv", detail: said },
  input_unusable: { file: "precios.csv", line: 3, problem: { kind: "no_rows" } },
  rows_rejected_strict: { file: "precios.csv", rejected: 1 },
  order_not_found: { orderId: "17" },
  message_not_found: { phone: "+5491155550101", reached: ["+5491155550102"] },
  send_not_found: { ref: "enero-1" },
  person_not_found: { phone: "+5491155550101" },
  opt_out_not_found: { phone: "+5491155550101" },
  mock_not_found: { said: "E42: +5491155550101" },
  expected_other_count: { expected: 10, actual: 8 },
  declined: { of: "send" },
  access_denied: call,
  input_refused: call,
  campaign_not_found: { ...call, campaignId: "cmp_nope" },
  unavailable: call,
  unreadable_answer: call,
  outcome_unknown: call,
  interrupted: { during: "work" },
  lock_lost: { pid: 4712, host: "caja-2", work: "watch", file: "/tmp/state/journal.db" },
  locked: { pid: 4711, work: "watch", consumer: "cocina" },
  ref_taken: { ref: "enero", template: "promo_semana" },
  repeat_within_day: { people: 2, ref: "enero", hoursAgo: 3 },
  send_open: { ref: "enero" },
  send_waits: { ref: "enero", until: "2026-01-01T12:00:00.000-03:00" },
  outside_hours: { people: 2, hours: "09:00-21:00", until: "2026-01-01T12:00:00.000-03:00" },
  canary_failed: {
    ref: "enero",
    people: 50,
    failed: 12,
    limit: 5,
    said: "Sin cuenta.",
    times: 9,
    failure: "not_on_platform",
  },
  repeat_held: { people: 2, ref: "enero", hoursAgo: 3, sendRef: "febrero" },
  repeat_held_unknown: { people: 2, ref: "enero", hoursAgo: 3, sendRef: "febrero" },
  ...{ excluded_in_open: { ref: "enero", people: 1 }, opted_out_unknown: { ref: "enero", people: 1 } },
  template_unknown: { template: "pedido_lsto", known: "pedido_listo, promo_semana" },
  ...{ test_opted_out: { phone: "+5491155550101" }, nobody_to_test: {} },
  journal_write_failed: { work: "send", detail: "SQLITE_FULL", ref: "enero" },
  too_late: { notAfter: "2026-01-01T12:00:00.000-03:00" },
  too_late_unknown: { notAfter: "2026-01-01T12:00:00.000-03:00" },
};

const profiles = each<ProfileProblem>({
  name_unusable: {},
  name_taken: { name: "centro" },
  address_absent: {},
  key_absent: {},
  command_is_key: {},
  code_unknown: { of: "country", code: "XX" },
  text_unusable: { flag: "--store-id" },
});

const command = "bpos orders list";
const list = "precios.csv";
const usage = each<UsageProblem>({
  argument_missing: { argument: "ORDER_ID", command },
  arguments_too_many: { expected: 1, found: 2, command, similar: "--status pendiente" },
  command_unknown: { name: "lits", similar: command, command: "bpos orders", known: ["list", "show"] },
  flag_unknown: { flag: "--pagee", similar: "--page", command },
  subcommand_missing: { command: "bpos orders" },
  value_missing: { flag: "--page <n>", command },
  file_exists: { flag: "--fixed", file: list },
  file_is_input: { flag: "--rejected" },
  file_not_csv: { flag: "--rejected" },
  ...{ file_not_table: { flag: "--report" } },
  file_not_workbook: { flag: "--report" },
  file_unwritable: { flag: "--rejected", file: list, detail: { kind: "folder_missing" } },
  address_unusable: { name: "base_url", shown: "x" },
  argument_value: { argument: "shell", command: "bpos completion", text: "", problem: { kind: "empty" } },
  campaign_id_unusable: { id: "." },
  canary_size: { text: "1%", people: 20, isNobody: true },
  hours_never: { hours: "09:00-10:00", countries: ["US"], zone: "America/Adak" },
  hours_too_late: {
    countries: ["ES"],
    opens: "2026-01-01T12:00:00.000-03:00",
    notAfter: "2026-01-01T11:00:00.000-03:00",
  },
  campaign_id_is_ref: { ref: "enero 1" },
  campaign_unnamed: {},
  codes_missing: {},
  control_character: { code: "A1" },
  date_ambiguous: {
    ...{ flag: "--since", text: "5/6/2026", dayFirst: "2026-06-05", monthFirst: "2026-05-06" },
  },
  exclusive: { flags: ["--json", "-o csv"] },
  explained_nothing: { text: "x", similar: null },
  fault_unsaid: {},
  mock_absent: {},
  field_unknown: { name: "totl", similar: "total", known: ["total", "estado"] },
  fields_refused: {},
  folder_shared: { profiles: ["a", "A"] },
  format_unwritten: { given: "-o csv", formats: ["table", "json"] },
  header_field_taken: { name: "" },
  printer_absent: { profile: "centro" },
  station: { place: "profiles.centro.stations[1] (barra)", fault: "nothing", text: "" },
  station_unknown: { name: "bar", file: list, line: 3, similar: "barra", known: ["barra"] },
  host_unusable: { host: "10.0.0.9", port: 4010, detail: said },
  interval_impolite: {},
  time_zone: { zone: "UTC+99" },
  mock_refused: { said: "E42: --page" },
  needs_flag: { flag: "--max-deactivate", other: "--deactivate-missing" },
  order_number: { text: "x" },
  profile: { problem: { kind: "address_absent" } },
  scenario_broken: { file: "mundo.json", said: "E42: --page" },
  schema_unknown: { text: "x", similar: null },
  scenario_unknown: { text: "x", similar: null, names: ["demo", "rush"] },
  stdin_twice: { of: "files" },
  template_choice: {},
  copy_target_missing: {},
  time_over: { flag: "--not-after", text: "12:00" },
  value: { flag: "--page", problem: { kind: "zero" } },
});

const details = each<OwnDetail>({
  too_slow: { ms: 30_000 },
  given_up: {},
  answer_too_large: { maxBytes: 1000 },
  encoding_unasked: { encoding: "zstd" },
  encoding_broken: { encoding: "gzip", detail: "Z_DATA_ERROR" },
  redirect: { to: null },
  proxy_answered: {
    proxy: "http://10.0.0.1:3128",
    variable: "HTTPS_PROXY",
    status: 407,
  },
  proxy_unreached: { proxy: "http://10.0.0.1:3128", variable: "HTTPS_PROXY", detail: "ECONNREFUSED" },
  answer_empty: {},
  answer_html: {},
  answer_not_json: {},
  answer_no_problem: {},
  answer_too_deep: { maxDepth: 100 },
  answer_lacks: { path: "orders", type: "array" },
  not_a_mock: {},
  not_json: {},
  empty: {},
  key_as_file: {},
  key_not_for_header: { at: 3, length: 20 },
  key_too_long: { length: 3000, max: 512 },
  key_lines: { lines: 2 },
  secret_form: { min: 8, max: 512 },
  json_unexpected: { found: null },
  json_list_twice: { listKey: "items" },
  file_replaced: { file: "/tmp/state/journal.db" },
  is_folder: {},
  not_regular: {},
  folder_missing: {},
  not_allowed: {},
  file_missing: {},
  not_readable: {},
  wrong_type: { path: "profiles", type: "object" },
  journal_newer: {},
  journal_outdated: {},
  journal_copied: { to: "postgres://bpos@db.example.com/bpos" },
  database: { problem: { kind: "refused" } },
});

const copies = each<CopyProblem>({
  source_missing: {},
  not_empty: {},
  copied_before: {},
  in_use: { host: "caja-2", pid: 4711 },
  other_copy: { from: "caja-2:/srv/journal.db" },
  differs: { table: "send_person", rows: 3, found: 4 },
});

const worlds = each<WorldProblem>({
  not_a_file: {},
  not_sqlite: {},
  other_program: {},
  outdated: {},
  newer: {},
  busy: {},
  damaged: { said: "SQLITE_CORRUPT" },
  unwritable: { said: "EROFS" },
  other_world: { of: ["scenario", "seed"] },
});

const logo = { logo: "logo.png", maxBytes: 4 << 20, maxSide: 4_000 };
const layouts = each<LayoutProblem>({
  not_json: { detail: said },
  unknown_key: { key: "hedaer", similar: "header", keys: ["header", "logo"] },
  wrong_value: { path: "copies", expected: "1 … 9" },
  block_missing: { block: "notes" },
  block_twice: { block: "items" },
  logo_not_png: logo,
  logo_too_large: logo,
  logo_interlaced: logo,
  logo_damaged: logo,
});

const push = { ...unanswered, endpoint: "POST /v1/catalog/items" };
const sending = { ...unanswered, ref: "enero 1" };

/** The same reasons with other facts, where those make other words. */
const others: BposError[] = [
  ...usage.map((problem) => new BposError("usage_flag", { problem })),
  ...values.map(
    (problem) => new BposError("usage_flag", { problem: { kind: "value", flag: "--page", problem } }),
  ),
  ...profiles.map((problem) => new BposError("usage_flag", { problem: { kind: "profile", problem } })),
  ...layouts.map((problem) => new BposError("layout_unusable", { file: "layout.json", problem })),
  new BposError("layout_unusable", {
    file: "l.json",
    problem: { kind: "unknown_key", key: "x", similar: null, keys: ["header", "logo"] },
  }),
  new BposError("layout_unusable", {
    file: "l.json",
    problem: { kind: "wrong_value", path: "", expected: "{…}" },
  }),
  new BposError("layout_unusable", {
    file: "l.json",
    problem: { kind: "wrong_value", path: "header.1", expected: null },
  }),
  ...worlds.map((problem) => new BposError("world_unusable", { file: "mundo.db", problem })),
  ...details.map((detail) => new BposError("unavailable", { ...unanswered, detail })),
  ...databases.map((problem) => {
    const facts = { file: "db.example.com:5432/bpos", detail: { kind: "database", problem } as const };
    return new BposError("journal_unreadable", facts);
  }),
  ...copies.map((problem) => new BposError("copy_refused", { to: "db.example.com:5432/bpos", problem })),
  new BposError("usage_flag", { problem: { kind: "stdin_twice", of: "file_and_key" } }),
  new BposError("unavailable", { ...unanswered, retryAfterMs: 90_000, maxWaitMs: 60_000 }),
  new BposError("unavailable", { ...push, askedFor: "time", nothingSent: true, detail: said }),
  new BposError("unavailable", { ...call, status: 302 }),
  new BposError("access_denied", { ...call, storeId: "7" }),
  ...[404, 413, 400].map((status) => new BposError("input_refused", { ...push, status })),
  new BposError("input_refused", { ...unanswered, endpoint: "GET /campaigns/{campaign_id}", status: 400 }),
  ...[undefined, 400, 403, 429].flatMap((status) => {
    const facts = status === undefined ? {} : { status };
    return [
      new BposError("outcome_unknown", { ...push, ...facts }),
      new BposError("outcome_unknown", { ...sending, ...facts }),
    ];
  }),
  ...(
    ["reading", "waiting", "question", "setup", "watch", "follow", "listen", "look", "upkeep"] as const
  ).map((during) => new BposError("interrupted", { during })),
  ...(["push", "send", "listen"] as const).map((work) => new BposError("locked", { pid: null, work })),
  new BposError("locked", { pid: 4711, host: "caja-2", work: "push" }),
  new BposError("locked", { pid: 4711, work: "watch", wanted: "forget" }),
  ...(["push", "send"] as const).map(
    (work) =>
      new BposError("journal_write_failed", {
        ...{ work, detail: "another bpos took over", ref: "enero" },
        lockLost: { work, pid: 4712, host: "caja-2" },
      }),
  ),
  new BposError("journal_write_failed", {
    ...{ work: "push", detail: { kind: "database", problem: { kind: "cut" } } },
  }),
  new BposError("key_missing", { profile: "centro" }),
  new BposError("address_missing", { which: "base_url", profile: "centro" }),
  new BposError("profile_missing", { name: "norte", similar: null, known: [], file: "config.json" }),
  new BposError("profile_missing", {
    ...{ name: "nrte", similar: "norte", known: ["norte"], file: "config.json" },
    isArgument: true,
  }),
  new BposError("station_not_found", { profile: "centro", name: "bar", similar: null, known: ["cocina"] }),
  new BposError("station_not_found", { profile: "centro", name: "bar", similar: null, known: [] }),
  new BposError("input_unusable", {
    file: list,
    line: 3,
    problem: { kind: "exclusion_unreadable", row: { kind: "phone_missing", column: "tel" }, more: 2 },
  }),
  new BposError("header_unreachable", {
    url: "https://cdn.example.com/promo.jpg",
    redirectedTo: "https://example.com/promo.jpg",
    problem: { kind: "timeout", detail: { kind: "too_slow", ms: 30_000 } },
  }),
  new BposError("exec_failed", {
    ...{
      program: "lp",
      outputNumber: 1,
      orderId: "17",
      exitCode: null,
      killedBy: null,
      timedOutMs: 30_000,
      detail: "",
    },
  }),
];

/** The reasons, in the order of the table. */
export const reasons = Object.keys(samples) as ErrorReason[];

export const sample = (reason: ErrorReason): BposError => new BposError(reason, samples[reason]);

/** Every reason, and every kind of facts that makes other words. */
export const allErrors: readonly BposError[] = [...reasons.map(sample), ...others];
