import { createHmac } from "node:crypto";
import type { Check, Finding } from "../../errors/findings.ts";
import type { Failure } from "../../errors.ts";
import { toPerson } from "../../input/phone.ts";

/** What stands for whatever could be of a person; the same for the same thing, and known again in one bundle only. */
export type Pseudonyms = ReturnType<typeof openPseudonyms>;

/** @param salt new for each bundle, and written nowhere: else whoever tries all phones would know them again. */
export function openPseudonyms(salt: string) {
  const of = (kind: string, text: string): string =>
    `${kind}#${createHmac("sha256", salt).update(`${kind} ${text}`).digest("hex").slice(0, 12)}`;
  return {
    of,
    phone: (written: string): string => of("phone", toPerson(written) ?? written.replace(/\D/g, "")),
    /** The kind stays: `exec`, `printer`; what tells two apart may be a command with a token in it. */
    output(name: string): string {
      const [kind = ""] = /^[a-z][a-z-]{0,19}/.exec(name) ?? [];
      return kind === name ? kind : of(kind || "output", name);
    },
    consumer: (name: string): string => (name === "default" ? name : of("consumer", name)),
  };
}

/** Without what a service, which may repeat an order, said; the reason and the status stay. */
function withoutAnswer(failure: Failure): Failure {
  const {
    serviceMessage: _,
    quote: __,
    serviceCode: ___,
    ...facts
  } = failure.facts as Record<string, unknown>;
  const { detail } = facts;
  const isSaid = "endpoint" in facts && "status" in facts && typeof detail === "string";
  return { ...failure, facts: isSaid ? { ...facts, detail: "" } : facts } as Failure;
}

function withoutPeople(finding: Finding, { of }: Pseudonyms): Finding {
  switch (finding.kind) {
    case "work": {
      const { sends, push, processes } = finding;
      return {
        ...finding,
        sends: sends.map(({ ref, people }) => ({ ref: of("ref", ref), people })),
        push: push && { file: push.file === null ? null : of("file", push.file) },
        processes: processes.map(({ pid, host }) =>
          host === undefined ? { pid } : { pid, host: of("host", host) },
        ),
      };
    }
    case "database_rights":
      return { ...finding, user: of("user", finding.user) };
    case "http_not_service": {
      const { detail } = finding;
      return { ...finding, quote: "", detail: typeof detail === "string" ? "" : detail };
    }
    case "failure":
      return { ...finding, failure: withoutAnswer(finding.failure) };
    default:
      return finding;
  }
}

export const checkWithoutPeople = (check: Check, names: Pseudonyms): Check => ({
  ...check,
  finding: withoutPeople(check.finding, names),
});
