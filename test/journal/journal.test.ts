import { describe } from "vitest";
import type { Journal } from "../../src/journal/journal.ts";
import { journalIn } from "../support/journal.ts";
import { catalogContract } from "./contract/catalog.ts";
import { ordersContract } from "./contract/orders.ts";
import { pushesContract } from "./contract/pushes.ts";
import { repliesContract } from "./contract/replies.ts";
import { sendsContract } from "./contract/sends.ts";

/** Every engine, as it opens a journal with nothing in it. */
const engines: [name: string, open: () => Promise<Journal>][] = [
  ["SQLite", () => Promise.resolve(journalIn())],
];

describe.each(engines)("the journal on %s", (_name, open) => {
  describe("orders", () => ordersContract(open));
  describe("products", () => catalogContract(open));
  describe("pushes", () => pushesContract(open));
  describe("sends", () => sendsContract(open));
  describe("replies", () => repliesContract(open));
});
