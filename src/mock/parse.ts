import type * as z from "zod";
import { badInput } from "./refusal.ts";

function firstProblem(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return "invalid input";
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}

/** The value as the schema reads it. Throws MockRefusal 400 naming the first field that does not fit. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw badInput(firstProblem(parsed.error));
  return parsed.data;
}
