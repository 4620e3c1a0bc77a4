import type { RowFaults, RowProblem } from "../errors/row-problem.ts";

/** A row that is left out, and why. */
export interface RejectedRow extends RowFaults {
  source: "file";
  line: number;
  codigo: string | null;
  cells: readonly string[];
}

/** Where a row stands in its file. */
export interface RowPlace {
  line: number;
  /** Byte offsets. */
  start: number;
  end: number;
}

/** What is told of a rejected row when somebody asks. */
export type RejectedRead = Pick<RejectedRow, "codigo" | "cells"> & { faults: RowFaults };

/** What is kept of a rejected row because it cannot be read again. */
export type KeptOfRow = Partial<Pick<RejectedRead, "faults" | "cells">>;

/** Reads a rejected row again. */
export type ReadRejected = (place: RowPlace, kept: KeptOfRow) => RejectedRead;

const nothing: KeptOfRow = {};

/**
 * A rejected row as its place in the file, from which it is read again: the texts of a million of them would take several times
 * the file.
 */
export class RejectedPlace implements RejectedRow, RowPlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly #readAgain: ReadRejected;
  #kept: KeptOfRow;

  constructor({ line, start, end }: RowPlace, readAgain: ReadRejected, kept = nothing) {
    this.line = line;
    this.start = start;
    this.end = end;
    this.#readAgain = readAgain;
    this.#kept = kept;
  }

  get #read(): RejectedRead {
    return this.#readAgain(this, this.#kept);
  }

  get source(): "file" {
    return "file";
  }

  get codigo(): string | null {
    return this.#read.codigo;
  }

  get cells(): readonly string[] {
    return this.#read.cells;
  }

  get problem(): RowProblem {
    return this.#read.faults.problem;
  }

  get also(): readonly RowProblem[] {
    return this.#read.faults.also ?? [];
  }

  /** From now on that alone is wrong with it. */
  blame(problem: RowProblem): void {
    this.#kept = { ...this.#kept, faults: { problem } };
  }
}
