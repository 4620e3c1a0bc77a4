const forms = {
  opted_out: /\b131050\b|opt(?:ed)?[ -]?out|unsubscri|\bblocked\b|dado de baja|bloque/i,
  not_on_platform: /\b131026\b|not on (?:the|whatsapp)|not registered|undeliverable|no (?:est[áa]|tiene) /i,
  bad_phone: /\b131009\b|invalid|inv[áa]lid|no phone|malformed/i,
  limited: /\b(?:130429|130472|131048|131049|131056)\b|\blimit|too many|\bspam\b|\brate\b/i,
  content: /\b132\d{3}\b|\b1310(?:08|53)\b|template|params?\b|media\b|plantilla/i,
  refused: /refused|rejected|policy|rechaz|pol[íi]tica/i,
  not_delivered:
    /\b(?:131000|131016|131047)\b|not be delivered|not delivered|timed? ?out|expired|no se pudo/i,
} as const;

/** What a failure most likely is. */
export type FailureKind = keyof typeof forms | "other";

/** By its words, or by the code of the messaging platform, which services pass on; the first that fits. */
export function classifyFailure(message: string): FailureKind {
  const found = Object.entries(forms).find(([, form]) => form.test(message));
  return (found?.[0] as FailureKind | undefined) ?? "other";
}

/** The message without the phones in it, so that one failure of many people is one. */
export const withoutPhones = (message: string): string => message.replace(/\+?\d[\d ()-]{6,}\d/g, "…");
