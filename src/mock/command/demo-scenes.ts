import type { T } from "../../texts/texts.ts";
import type { RunningMock } from "../index.ts";

const minuteMs = 60_000;
/** The world begins so long ago; the scenes move it on, and the live scene moves it to the present. */
export const beganMs = 16 * minuteMs;

/** The requests that one poll makes with its retries. */
const outageCalls = 5;

/** A moment of the day at the shop: one command, and why it matters. */
export interface Scene {
  title: string;
  why: string;
  /** Makes what happened before the command. */
  prepare?: () => Promise<unknown>;
  argv: readonly string[];
  /** Matches the paragraphs of the output that are shown; all of them if absent. */
  shows?: RegExp;
}

/** The phone of a recipient in the file who always gets the message. */
const reached = "+5491155550003";

const send = ["campaign", "send", "customers.csv", "--template", "pedido_listo", "--ref", "demo", "--yes"];

async function placeOrder(
  { control }: RunningMock,
  order: Readonly<Record<string, unknown>>,
): Promise<number> {
  await control.moveClock({ advance_ms: 2 * minuteMs });
  const [placed] = await control.placeOrders({ order });
  return placed?.order_id ?? 0;
}

const listCatalogScenes = (t: T): Scene[] => [
  {
    title: t("The price list"),
    why: t("One row is wrong: bpos names its line and sends the rest."),
    argv: ["catalog", "push", "prices.csv"],
    shows: /^MOCK|POS-01/,
  },
  {
    title: t("A price changes"),
    why: t("The wrong row is fixed too. Only these two rows are sent."),
    argv: ["catalog", "push", "new-prices.csv", "--changed-only"],
    shows: /^MOCK/,
  },
];

function listOrderScenes(t: T, mock: RunningMock): Scene[] {
  const { control } = mock;
  let orderId = 0;
  return [
    {
      title: t("A customer orders"),
      why: t("Every order is delivered once, as a ticket."),
      prepare: async () => {
        orderId = await placeOrder(mock, { cliente: { nombre: "Lucía Paz" } });
      },
      argv: ["orders", "watch", "--once"],
    },
    {
      title: t("The customer cancels"),
      why: t("The next poll reports it, before the kitchen starts."),
      prepare: () => control.setOrderStatus(orderId, "cancelado"),
      argv: ["orders", "watch", "--once"],
    },
    {
      title: t("The service is down"),
      why: t("An order comes in meanwhile. bpos retries, and the order is not lost."),
      prepare: async () => {
        await placeOrder(mock, {
          cliente: { nombre: "Leandro Correa" },
          delivery_type: "pick_up",
          lineas: [{ codigo: "PIZ-02" }],
        });
        await control.addFault({
          method: "GET",
          path: "/v1/orders",
          effect: "status",
          status: 503,
          times: outageCalls,
        });
      },
      argv: ["orders", "watch"],
    },
  ];
}

const listCampaignScenes = (t: T, { control }: RunningMock): Scene[] => [
  {
    title: t("The orders are ready"),
    why: t("Each customer in the file gets a message. A wrong phone is reported."),
    argv: send,
    shows: /^MOCK.*customers\.csv|^│|\n│|5555-12/,
  },
  {
    title: t("The same file again"),
    why: t("Nobody is messaged twice."),
    argv: send,
    shows: /^MOCK/,
  },
  {
    title: t("Did they read it?"),
    why: t("Five minutes later: how many received the message, read it and replied."),
    prepare: async () => {
      await control.moveClock({ advance_ms: 5 * minuteMs });
      await control.reply({ phone: reached, text: "Gracias, voy en camino" });
    },
    argv: ["campaign", "status", "--ref", "demo"],
    shows: /^MOCK|%/,
  },
];

/** Returns the scenes of the day that end by themselves, in order. */
export const listScenes = (t: T, mock: RunningMock): Scene[] => [
  ...listCatalogScenes(t),
  ...listOrderScenes(t, mock),
  ...listCampaignScenes(t, mock),
];

/** Returns the last scene, which is watched until somebody ends it. */
export const liveScene = (t: T, mock: RunningMock): Scene => ({
  title: t("Orders come in live"),
  why: t("Place your own in the console: {url}", { url: mock.consoleUrl }),
  prepare: async () => {
    for (const nombre of ["Valentina Sosa", "Gustavo Rivero", "Ramiro Ojeda"])
      await placeOrder(mock, { cliente: { nombre } });
  },
  argv: ["orders", "watch", "--compact"],
});

/** Returns the commands to go on with after the demo. */
export const nextCommands = (t: T): [command: string, what: string][] => [
  ["bpos mock --open", t("the same shop in your browser, with its page")],
  ["bpos --mock orders list", t("rehearse any command without a key")],
  ["bpos init", t("set up your branch: its key and addresses")],
];
