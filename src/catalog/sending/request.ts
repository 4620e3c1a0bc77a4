import type { CatalogAction } from "../../contract/catalog.ts";
import type { PricesToZero } from "../../errors/problems.ts";
import type { RejectedRow } from "../../input/files/table.ts";
import type { LazyList } from "../../input/items/catalog-items.ts";
import type { ItemList } from "../item-list.ts";

/** What is remarkable about the prices of a file. */
export interface PriceFacts {
  /** How many products have none, and whether any has one. */
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
  /** Batches that are out at once; with more than one they all carry one stamp. */
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

/** Of a push that undoes another. */
export interface Undo {
  of: string;
  leftAlone: readonly LeftAlone[];
}
