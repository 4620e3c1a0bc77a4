import { describe } from "vitest";
import { journalIn } from "../support/journal.ts";
import { journalContract } from "./contract/journal.ts";

describe("the journal on SQLite", () => journalContract(() => Promise.resolve(journalIn())));
