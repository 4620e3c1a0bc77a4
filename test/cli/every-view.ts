import { type FoundSend, foundTable } from "../../src/campaigns/find/view.ts";
import { type PastSend, sendList } from "../../src/campaigns/list/list.ts";
import { type ReplyEvent, replyText } from "../../src/campaigns/listen/view.ts";
import {
  addedReport,
  doubtText,
  exportReport,
  optOutTable,
  reviewedText,
} from "../../src/campaigns/optout/view.ts";
import { replyFields } from "../../src/campaigns/replies.ts";
import { sendPreview } from "../../src/campaigns/send/view.ts";
import { sendReport } from "../../src/campaigns/sending/report-view.ts";
import type { Schedule } from "../../src/campaigns/sending/schedule.ts";
import { campaignStatus, changeLine, countsLine, watchFrame } from "../../src/campaigns/status/view.ts";
import { type CatalogCheck, checkReport } from "../../src/catalog/check/view.ts";
import { type PastPush, pushHistoryTable } from "../../src/catalog/history/history.ts";
import { pushReport } from "../../src/catalog/sending/view.ts";
import { errorText } from "../../src/cli/display/error-text.ts";
import { progressLine } from "../../src/cli/display/progress.ts";
import { listText } from "../../src/cli/display/table.ts";
import { note, paragraph, title } from "../../src/cli/display/text.ts";
import type { Ui } from "../../src/cli/display/ui.ts";
import type { CampaignStatus } from "../../src/contract/campaign.ts";
import type { Order } from "../../src/contract/order.ts";
import { BposError } from "../../src/errors.ts";
import { formatFaults } from "../../src/mock/command/control-commands.ts";
import { formatRequest } from "../../src/mock/command/requests.ts";
import { formatTemplates } from "../../src/mock/command/world-commands.ts";
import { ordersList } from "../../src/orders/list/view.ts";
import { orderChanged, orderTicket } from "../../src/orders/ticket.ts";
import { Board } from "../../src/orders/watch/screen/board.ts";
import { compactScreen, orderLine } from "../../src/orders/watch/screen/compact.ts";
import { watchStatus } from "../../src/orders/watch/screen/status-line.ts";
import { profileRows, profilesTable, settingsTable } from "../../src/profiles/profile/profile.ts";
import { campaign, order, page, preview, push, send, statusOf } from "./samples.ts";
import { NOW } from "./ui.ts";

/** A view of something in which `name` stands wherever somebody else decides what stands there. */
type View = (name: string, ui: Ui) => string;

const at = "2026-01-01T08:00:00-03:00";

function orderOf(name: string): Order {
  const line = { ...order().lineas[0]!, codigo: name, nombre: name };
  return order({
    status: name,
    delivery_type: name,
    delivery_address: name,
    cliente: { nombre: name, telefono: name },
    domicilio: { calle: name, numero: name, piso_depto: name, localidad: name, referencia: name },
    pago: { modo: name, pagado: false, monto: 1 },
    lineas: [{ ...line, opciones: [{ codigo: name, nombre: name, precio_adicional: 1 }] }],
  });
}

const listing = (name: string) => page([orderOf(name), orderOf(name)], { total: 60, has_more: true });
const listed = { states: ["pendiente"], isPaged: true };

const campaignOf = (name: string): CampaignStatus =>
  campaign({
    ...{ campaign_id: name, status: name, campaign_name: name, external_ref: name },
    counts: { ...campaign().counts!, [name]: 7 },
    recipients: [
      ...campaign().recipients!,
      { phone: name, status: name, sent_at: name, error_message: name },
    ],
  });
const optOutOf = (name: string) => ({ phone: name, at: NOW, source: "reply" as const, text: name });
const refusedBy = (name: string) => ({
  optOuts: [{ ...optOutOf(name), removed_at: NOW, reason: name }, optOutOf(name)],
  leftOut: [{ at: NOW, ref: name, template: name, reason: "excluded" as const }],
});
const added = (name: string) => ({
  ...{ read: 2, added: 1, already: 0 },
  invalid: [{ line: 3, phone: name, problem: { kind: "phone_invalid", text: name, country: "AR" } as const }],
});
const peopleOf = (name: string) =>
  new Map([[name, new Map([["5491161230001", { line: 3, variables: ["Ana"] }]])]]);

function check(name: string): CatalogCheck {
  return {
    file: name,
    form: { format: "csv", encoding: "utf-8", delimiter: ";", decimal: "," } as CatalogCheck["form"],
    mapping: {
      fields: { codigo: name, nombre: name, categoria: null, precio: name, deshabilitado: null },
      ...{ inverse: false, unused: [name], price: 0 },
    },
    first: [{ codigo: name, nombre: name, categoria: name, precio: 5 }],
    ...{ read: 3, products: 1, collapsed: 1, unpriced: 1, hasNoPrices: true },
    rejected: [
      {
        ...{ source: "file", codigo: name, line: 2, cells: [name] },
        problem: { kind: "price_unusable", column: name, text: name },
      },
    ],
    notices: [{ kind: "double_encoded", line: 2, text: name, proposal: name }],
    fixedFile: name,
  };
}

function reply(name: string): ReplyEvent {
  const body = { campaign_id: name, external_ref: name, phone: name, text: name, [`x${name}`]: name };
  const event = { event: "reply", at, campaign_id: name, external_ref: name, repeated: true, body } as const;
  const sent = { send_id: "s1", ref: name, template: name, at: NOW - 300_000 };
  return {
    ...{ event: { ...event, send_id: "s1", name }, body: "" },
    fields: { ...replyFields(body), phone: name, text: name },
    send: sent,
  };
}

const push1 = (name: string) =>
  push({
    rejected_file: name,
    refused: 1,
    rejected: [{ source: "service", codigo: name, line: 1, error: name, cells: [] }],
  });

const pastPush = (name: string): PastPush => ({
  ...{ push_id: name, at, file: name, action: name, outcome: name },
  ...{ sent: 1, accepted: 1, skipped_stale: 0, rejected: [], [name]: name },
});

function pastSend(name: string): PastSend {
  const rows = { invalid: [], duplicate_rows: [], excluded_rows: [] };
  const { waiting: _, ...sent } = send({ template: name, external_ref: name });
  const report = { ...sent, ...rows, at, test: true as const };
  return { report, calls: { all: 3, sent: 1, unknown: 1 }, ids: [name], isDoubtful: true, waitsUntil: NOW };
}

function foundSend(name: string): FoundSend {
  const call = { send_id: "s1", ref: name, template: name, at: NOW, isTest: true, campaign_id: name };
  const replies = [{ at: NOW, text: name, body: {} }];
  const recipient = { sent_at: name, delivered_at: at, read_at: at, error_message: name };
  const told = { recipient, message: name, status: name, error: name };
  return { call: { ...call, state: "sent" }, params: [name], name, ...told, replies };
}

const schedule: Schedule = {
  startAt: NOW,
  hours: {
    between: { text: "09:00-21:00", from: 540, to: 1_260 },
    days: { text: "mon-sat", days: [1, 2, 3, 4, 5, 6] },
    timeZones: [],
  },
  pace: { text: "300/h", people: 300, perMs: 3_600_000 },
  canary: { waitMs: 600_000, maxFailed: { share: 0.1 } },
};

const branch = (name: string, more: object = {}) => ({
  ...{ name, state: "answering" as const, lastAnswerAt: NOW - 3_000, nextPollAt: NOW + 9_000, waiting: 4 },
  ...more,
});

const answer = { endpoint: "GET /v1/orders", origin: "http://127.0.0.1:4010", attempts: 1, status: 400 };

const plannedOf = (name: string) => ({
  ...{ wouldSend: 5, calls: 1 },
  first: [{ codigo: name, nombre: name, categoria: name, precio: 9000, deshabilitado: true }],
});

/** Every view by its name. */
export const everyView: Readonly<Record<string, View>> = {
  "a list of orders": (name, ui) => listText(ordersList(listing(name), listed, ui), ui),
  "a list of orders of several states": (name, ui) =>
    listText(ordersList(listing(name), { ...listed, states: ["listo", name] }, ui), ui),
  "chosen fields of orders": (name, ui) =>
    listText(
      ordersList(listing(name), { ...listed, fields: ["status", "cliente", "lineas", name, "order_id"] }, ui),
      ui,
    ),
  "an order in one line": (name, ui) =>
    orderLine(orderOf(name), ui, { repeated: true, from: name, changes: [name], branch: name }),
  "the compact screen": (name, ui) => {
    const board = new Board(() => NOW, true);
    for (const status of ["pendiente", name]) board.seen("1", { ...orderOf(name), status });
    board.seen("2", { ...orderOf(name), status: "pendiente" });
    board.edited("2");
    board.polled(undefined, 0);
    const boards = [name, "centro"].map((each) => ({ name: each, board, ui }));
    return `${compactScreen(boards, 60_000, 20, ui).join("\n")}\n`;
  },
  "a ticket": (name, ui) => orderTicket(orderOf(name), ui, true, name),
  "a change of an order": (name, ui) =>
    orderChanged({ order_id: name as unknown as number, from: name, to: name, at }, orderOf(name), ui, name),
  "an order that is off": (name, ui) =>
    orderChanged(
      { order_id: name as unknown as number, from: name, to: "cancelado", at },
      orderOf(name),
      ui,
      name,
    ),
  "an order that was edited": (name, ui) =>
    orderChanged(
      { order_id: name as unknown as number, from: name, to: name, at, changes: ["lineas", name] },
      orderOf(name),
      ui,
      name,
    ),
  "a push": (name, ui) => pushReport(push1(name), ui, { file: name, branch: name }),
  "a push that deactivates": (name, ui) =>
    pushReport({ ...push1(name), action: "delete", read: 0, codes: [name] }, ui, {
      file: name,
      branch: name,
    }),
  "a push that is not made": (name, ui) =>
    pushReport({ ...push1(name), dry_run: true, planned: plannedOf(name) }, ui, { file: name, branch: name }),
  "past pushes": (name, ui) =>
    listText(
      pushHistoryTable([pastPush(name), pastPush(name)], { more: true, unfinished: new Set([name]) }, ui),
      ui,
    ),
  "chosen fields of past pushes": (name, ui) =>
    listText(
      pushHistoryTable([pastPush(name)], { more: false, unfinished: new Set() }, ui, [
        "file",
        "sent",
        name,
        "push_id",
      ]),
      ui,
    ),
  "a check of a catalog": (name, ui) => checkReport(check(name), ui, true),
  "a question before a send": (name, ui) =>
    sendPreview(
      send({ template: name, external_ref: name, testTo: name }),
      preview({
        branch: name,
        request: {
          ...{ headerUrl: name, template: { name, id: null, language: name } },
          ...{ reading: { paramNames: [name] }, schedule },
        },
        first: [{ phone: name, params: [name, name] }],
        // A template has lines of its own; no variable has one.
        message: name.replaceAll("\n", " "),
      }),
      ui,
    ),
  "a send": (name, ui) =>
    sendReport(
      send({
        ...{ external_ref: name, template: name },
        campaigns: [{ ...send().campaigns[0]!, campaign_id: name, status: name, campaign_name: name }],
        recipients: { ...send().recipients, errors: [name] },
        invalid: [
          {
            line: 9,
            phone: name,
            problem: { kind: "phone_area_missing", country: "AR", text: name },
            cells: [name],
          },
        ],
      }),
      ui,
      { file: name, branch: name },
    ),
  "past sends": (name, ui) => listText(sendList([pastSend(name), pastSend(name)], true, ui), ui),
  "chosen fields of past sends": (name, ui) =>
    listText(sendList([pastSend(name)], false, ui, ["template", "recipients", "send_id"]), ui),
  "sends to a person": (name, ui) =>
    listText(
      foundTable(name, { rows: [foundSend(name), foundSend(name)], refused: refusedBy(name) }, ui),
      ui,
    ),
  "who opted out": (name, ui) => listText(optOutTable([optOutOf(name)], 2, ui), ui),
  "opt-outs that were added": (name, ui) => addedReport(added(name), ui),
  "opt-outs in a file": (name, ui) => exportReport({ file: name, opt_outs: 2, without_phone: 1 }, ui),
  "a doubtful reply": (name, ui) => doubtText({ ...optOutOf(name), seq: 1 }, { n: 1, all: 2 }, ui),
  "what became of doubtful replies": (_name, ui) => reviewedText({ optedOut: 1, not: 2, later: 0 }, ui),
  "the status of a campaign": (name, ui) =>
    campaignStatus(statusOf(campaignOf(name)), ui, { known: peopleOf(name) }),
  "the status of campaigns": (name, ui) =>
    campaignStatus(statusOf(campaignOf(name), campaignOf(name)), ui, {
      found: { present: [name], absent: [name] },
    }),
  "chosen fields of recipients": (name, ui) =>
    campaignStatus(statusOf(campaignOf(name)), ui, { chosen: ["phone", "status", "error_message", name] }),
  "a watch of a campaign": (name, ui) =>
    watchFrame(
      {
        ...{ status: statusOf(campaignOf(name)), polledAt: NOW - 5_000, nextAt: NOW + 5_000 },
        ...{ trouble: name, remarks: [name], known: peopleOf(name) },
      },
      ui,
      40,
    ),
  "a change of a recipient": (name, ui) =>
    paragraph(changeLine({ campaign: name, phone: name, from: name, to: name, message: name }), ui).join(
      "\n",
    ),
  "counts in a line": (name, ui) => paragraph(countsLine(statusOf(campaignOf(name)), ui), ui).join("\n"),
  "a reply": (name, ui) => replyText(reply(name), ui),
  "the status line of a watch": (name, ui) => watchStatus([branch(name)], ui),
  "the status line of a watch of branches": (name, ui) =>
    watchStatus([branch(name), branch(name, { state: "silent" })], ui),
  progress: (name, ui) => progressLine({ label: name, done: 4, total: 9, startedAt: NOW - 4_000 }, ui),
  "the faults of a mock": (name, ui) =>
    formatFaults([{ method: name, path: name, effect: name, times: name, rate: 1, fired: 0 }], ui),
  "the templates of a mock": (name, ui) =>
    formatTemplates(
      [{ name, id: name, languages: [name], header: name, params: 1, state: name, body: name }],
      ui,
    ),
  "a request to a mock": (name, ui) =>
    formatRequest(
      {
        ...{ at: name, method: name, path: name, query: name, status: 400, ms: 2, branch: name },
        ...{ event_id: name, fault: name, error: name },
      },
      ui,
    ),
  profiles: (name, ui) =>
    listText(
      profilesTable(
        profileRows({
          default: name,
          profiles: {
            [name]: { base_url: name, campaigns_base_url: name, api_key: name, country: name, sandbox: true },
          },
        }),
        ui,
      ),
      ui,
    ),
  "the settings in force": (name, ui) =>
    settingsTable(
      [{ setting: "base_url", value: name, source: "profile", from: name }],
      {
        ...{ profile: name, file: name },
      },
      ui,
    ),
  "an error of the service": (name, ui) =>
    errorText(new BposError("input_refused", { ...answer, serviceCode: name, serviceMessage: name }), ui),
  "an error of a file": (name, ui) =>
    errorText(new BposError("input_unreadable", { file: name, detail: name }), ui),
  "an error of a field": (name, ui) =>
    errorText(
      new BposError("usage_flag", { problem: { kind: "field_unknown", name, similar: name, known: [name] } }),
      ui,
    ),
  "a defect": (name, ui) => errorText(new Error(name), ui),
  "a title, a note and a paragraph": (name, ui) =>
    [...title(name, ui), ...note(name, ui), ...paragraph(name, ui)].join("\n"),
};
