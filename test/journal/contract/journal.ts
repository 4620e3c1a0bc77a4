import { describe } from "vitest";
import type { Journal } from "../../../src/journal/journal.ts";
import { catalogContract } from "./catalog.ts";
import { optOutsContract } from "./opt-outs.ts";
import { ordersContract } from "./orders.ts";
import { pushesContract } from "./pushes.ts";
import { repliesContract } from "./replies.ts";
import { sendsContract } from "./sends.ts";

/** Tests of a journal, for any engine; `open` opens one with nothing in it. */
export function journalContract(open: () => Promise<Journal>): void {
  describe("orders", () => ordersContract(open));
  describe("products", () => catalogContract(open));
  describe("pushes", () => pushesContract(open));
  describe("sends", () => sendsContract(open));
  describe("opt-outs", () => optOutsContract(open));
  describe("replies", () => repliesContract(open));
}
