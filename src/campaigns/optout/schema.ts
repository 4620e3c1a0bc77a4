import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";
import { optOut } from "../person-schema.ts";

const textOrNull = z.string().nullable();

const invalid = z.object({ line: z.int(), phone: textOrNull, error: z.string() });

const doubt = z.object({ phone: textOrNull, at: z.string(), text: textOrNull });

const added = z.object({ ...keys(z.int(), "read", "added", "already"), invalid: z.array(invalid) });
export type AddedJson = z.infer<typeof added>;
export const add = { document: added };

export const remove = { document: z.object(keys(z.string(), "phone", "removed_at", "reason")) };

export const list = { document: z.object({ opt_outs: z.array(optOut) }), line: optOut };

const written = z.object({ file: z.string(), ...keys(z.int(), "opt_outs", "without_phone") });
export type ExportedJson = z.infer<typeof written>;
export const exported = { document: written };

export const review = { document: z.object({ doubtful: z.array(doubt) }), line: doubt };
