import * as z from "zod";

/** The two error codes that `spec.md` section 7 shows; the complete list is not shown, so any string is read. */
export const serviceCodes = {
  accessDenied: "ERROR_CODE_ACCESS_DENIED",
  inputError: "ERROR_CODE_INPUT_ERROR",
} as const;

/** The error body of `spec.md` section 7. */
export const problemSchema = z
  .looseObject({
    code: z
      .string()
      .nullish()
      .describe("ERROR_CODE_ACCESS_DENIED, ERROR_CODE_INPUT_ERROR, or one not shown."),
    message: z.string().nullish().describe("A short text for people."),
    payload: z
      .unknown()
      .optional()
      .describe(
        "An empty string for access denied; campaign_id and external_ref, both null, for input errors.",
      ),
  })
  .meta({ id: "Problem", description: "The error body." });

/** The error body of `spec.md` section 7, as read. */
export type Problem = z.infer<typeof problemSchema>;
