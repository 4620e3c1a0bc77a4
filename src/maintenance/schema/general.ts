import * as z from "zod";
import { keys } from "../../contract/json-schema.ts";
import { type ErrorReason, type ExitName, exitCodes, exitNames } from "../../errors.ts";

const failure = z.looseObject({
  code: z.enum(Object.keys(exitCodes) as ExitName[]),
  reason: z.enum(Object.keys(exitNames) as ErrorReason[]),
  ...keys(z.string(), "message", "hint", "docs"),
});
/** The last line of standard error of a run that asked for JSON and failed. */
export const error = {
  document: z.object({ error: failure.describe("Other keys are the facts of its reason.") }),
};

const logged = z.looseObject({
  ...keys(z.string(), "at", "event", "message"),
  level: z.enum(["info", "warn", "error"]),
  branch: z.string().optional(),
});
/** A line of --log-format json. */
export const log = { line: logged.describe("Other keys are the facts of its event.") };

const argument = z.object({
  ...keys(z.string(), "argument", "description"),
  ...keys(z.boolean(), "required", "variadic"),
});
const flag = z.object({
  ...keys(z.string(), "flag", "description"),
  ...keys(z.string().nullable(), "short", "value"),
  choices: z.array(z.string()).nullable(),
  repeats: z.boolean(),
});
const command = z.object({
  ...keys(z.string(), "command", "description"),
  arguments: z.array(argument),
  flags: z.array(flag),
  ...keys(z.array(z.string()), "aliases", "environment"),
  fields: z.array(z.string()).describe("The names for --fields."),
  exit_codes: z.array(z.int()),
  examples: z.array(z.object(keys(z.string(), "command", "description"))),
  get commands(): z.ZodArray {
    return z.array(command);
  },
});
const topic = z.object({ title: z.string(), parts: z.array(z.unknown()) });

export const help = { document: z.union([command, topic]) };
export const openapi = { document: z.looseObject({ openapi: z.string() }) };

export const version = {
  document: z.object({
    ...keys(z.string(), "version", "node", "os", "arch"),
    commit: z.string().nullable(),
    form: z.enum(["npm", "binary", "deb"]),
  }),
};
