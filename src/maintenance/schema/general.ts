import * as z from "zod";
import { type ErrorReason, type ExitName, exitCodes, exitNames } from "../../errors.ts";

/** The line of standard error with which a run ends that asked for JSON. */
export const error = {
  document: z.object({
    error: z
      .looseObject({
        code: z.enum(Object.keys(exitCodes) as ExitName[]),
        message: z.string(),
        hint: z.string(),
        reason: z.enum(Object.keys(exitNames) as ErrorReason[]),
        docs: z.string(),
      })
      .describe("Other keys are the facts of its reason."),
  }),
};

/** A line of --log-format json. */
export const log = {
  line: z
    .looseObject({
      at: z.string(),
      level: z.enum(["info", "warn", "error"]),
      event: z.string(),
      branch: z.string().optional(),
      message: z.string(),
    })
    .describe("Other keys are the facts of its event."),
};

const textOrNull = z.string().nullable();

const command = z.object({
  command: z.string(),
  aliases: z.array(z.string()),
  description: z.string(),
  arguments: z.array(
    z.object({
      argument: z.string(),
      required: z.boolean(),
      variadic: z.boolean(),
      description: z.string(),
    }),
  ),
  flags: z.array(
    z.object({
      flag: z.string(),
      short: textOrNull,
      value: textOrNull,
      choices: z.array(z.string()).nullable(),
      repeats: z.boolean(),
      description: z.string(),
    }),
  ),
  fields: z.array(z.string()).describe("The names for --fields."),
  exit_codes: z.array(z.int()),
  environment: z.array(z.string()),
  examples: z.array(z.object({ command: z.string(), description: z.string() })),
  get commands(): z.ZodArray {
    return z.array(command);
  },
});
const topic = z.object({ title: z.string(), parts: z.array(z.unknown()) });

export const help = { document: z.union([command, topic]) };
export const version = { document: z.object({ version: z.string() }) };
export const openapi = { document: z.looseObject({ openapi: z.string() }) };
