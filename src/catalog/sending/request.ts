import type { RejectedSheet } from "../../cli/files/rejected-rows.ts";
import type { CatalogAction } from "../../contract/catalog.ts";
import type { PricesToZero } from "../../errors/problems.ts";
import type { FileState } from "../../input/files/file.ts";
import type { RejectedRow } from "../../input/files/table.ts";
import type { LazyList } from "../../input/items/catalog-items.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Comparison } from "../compare.ts";
import type { SendingFlags } from "../flags.ts";
import type { ItemList } from "../item-list.ts";

/** Notable facts about the prices of a file. */
export interface PriceFacts {
  /** Number of products without a price, and whether any product has one. */
  without: number;
  hasAny: boolean;
  /** With `--strict` a product without one is a fault. */
  isRequired: boolean;
  free: Pick<ItemList, "length" | "item">;
  toZero?: PricesToZero;
}

export interface PushRequest {
  items: ItemList;
  file: string | null;
  rejected: LazyList<RejectedRow>;
  read: number;
  unchanged: number;
  /** Absent where no prices are sent. */
  prices?: PriceFacts | undefined;
  action: CatalogAction;
  branch: string;
  batchSize: number;
  /** Batches in flight. With more than one, all batches share a timestamp. */
  inFlight: number;
  storeId: string | number | undefined;
  dryRun: boolean;
  undo?: Undo;
  partOf?: string | undefined;
  parts?: number;
}

/** A product that an undo leaves as it is, and why. */
export interface LeftAlone {
  codigo: string;
  reason: "changed_since" | "former_unknown" | "state_unknown";
}

/** The push that another undoes, and the products that it leaves alone. */
export interface Undo {
  of: string;
  leftAlone: readonly LeftAlone[];
}

/** A request before the identity of its branch is known; `compared` has the changes it would make, where that was asked. */
export type UnboundRequest = Omit<PushRequest, "branch"> & { compared?: Comparison };

/** The parts of the journal that a plan may depend on: confirmed products and earlier pushes. */
export type KnownBefore = Pick<Journal, "catalog" | "pushes">;

/** Makes the requests of a push from what is known of the service. Where it throws, nothing is sent. */
export type RequestPlan = (journal: KnownBefore, branch: string) => Promise<UnboundRequest[]>;

/** A push that was read and planned, but not sent. */
export interface PreparedPush {
  request: UnboundRequest;
  flags: Pick<SendingFlags, "rejected" | "lockWait" | "force">;
  sheet: RejectedSheet;
  /** Followed once nobody else pushes for this branch; undefined where `request` depends on nothing in the journal. */
  plan: RequestPlan | undefined;
  /** The file as it was read, and how a changed one is prepared and confirmed anew; undefined where no file can change. */
  source: { path: string; state: FileState; prepareAgain: () => Promise<PreparedPush> } | undefined;
}
