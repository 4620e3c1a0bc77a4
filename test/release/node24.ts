import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/run.ts";

const packaged = `scripts/release/node_modules/node-linux-${process.arch}/bin/node`;

/** The binary of Node 24: that of `BPOS_NODE24`, else the one that is installed to make a release. */
export function findNode24(): string {
  const node = process.env["BPOS_NODE24"] ?? join(root, packaged);
  if (!existsSync(node)) throw new Error(`There is no ${node}: set BPOS_NODE24 to the binary of a Node 24`);
  return node;
}
