import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";
import { optOut } from "../person-schema.ts";

const textOrNull = z.string().nullable();

const invalid = z.object({ line: z.int(), phone: textOrNull, error: z.string() });

const doubt = z.object({ phone: textOrNull, at: z.string(), text: textOrNull });

export const add = {
  document: z.object({ ...keys(z.int(), "read", "added", "already"), invalid: z.array(invalid) }),
};

export const remove = { document: z.object(keys(z.string(), "phone", "removed_at", "reason")) };

export const list = { document: z.object({ opt_outs: z.array(optOut) }), line: optOut };

export const exported = {
  document: z.object({ file: z.string(), ...keys(z.int(), "opt_outs", "without_phone") }),
};

export const review = { document: z.object({ doubtful: z.array(doubt) }), line: doubt };
