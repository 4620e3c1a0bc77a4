import * as z from "zod";
import { serviceCodes } from "./endpoints.ts";

/** The error body of `docs/reference/service.md` 7. */
export const problemSchema = z
  .looseObject({
    code: z
      .string()
      .nullish()
      .describe("One of the examples, or one not shown.")
      .meta({ examples: Object.values(serviceCodes) }),
    message: z.string().nullish().describe("A short text for people."),
    payload: z
      .unknown()
      .optional()
      .describe(
        "An empty string for access denied; campaign_id and external_ref, both null, for input errors.",
      ),
  })
  .meta({ id: "Problem", description: "The error body." });
export type Problem = z.infer<typeof problemSchema>;
