import type { HeaderProblem, HeaderUnreachable } from "../../errors.ts";
import { type Advice, sayKind, type Words } from "../../texts/kinds.ts";
import { quoted } from "../../texts/phrases.ts";
import type { T } from "../../texts/texts.ts";
import { detailWords } from "./details.ts";

const passOwn = (t: T): string =>
  t("Put the file on a public web server or file host and pass its https:// URL.");

const passDirect = (t: T): string =>
  t(
    "Pass the direct URL of the file: a private browser window must open the file itself, not a page around it.",
  );

const words: Words<HeaderProblem, Advice> = {
  not_https: (_, t) => ({
    what: t("not an https URL, and the service downloads by https only"),
    next: passOwn(t),
  }),
  credentials: (_, t) => ({
    what: t("it has a user name or password, and the service does not sign in"),
    next: passOwn(t),
  }),
  unescaped: ({ escaped }, t) => ({
    what: t("a #, spaces, accents or other characters that a URL cannot hold"),
    next: t("Write it as {escaped} (a # in a file name as %23), or give the file a plain name.", { escaped }),
  }),
  private_host: ({ host }, t) => ({
    what: t(
      "{host} is reachable only from this machine or its network, and the service downloads from the internet",
      { host },
    ),
    next: passOwn(t),
  }),
  redirects: ({ limit }, t) => ({
    what: t("no file after {limit} redirects", { limit }),
    next: passDirect(t),
  }),
  status: ({ status }, t) => ({
    what: t("its host answers {status}, and the service does not sign in", { status }),
    next: t("Check the URL, capitals included: the file must open in a private browser window."),
  }),
  encoding: ({ encoding }, t) => ({
    what: t("its host sends it in the unrequested encoding {encoding}", { encoding: quoted(encoding) }),
    next: t("Configure the host to send it without Content-Encoding, or use another host."),
  }),
  empty: (_, t) => ({ what: t("the file is empty"), next: t("Upload it again.") }),
  web_page: (_, t) => ({
    what: t("a web page (HTML), such as a sign-in page or a file preview"),
    next: passDirect(t),
  }),
  other_type: (_, t) => ({
    what: t("its content is not JPEG, PNG, MP4 or PDF, despite its name"),
    next: t("Upload a JPEG or PNG image, an MP4 video or a PDF."),
  }),
  too_large: ({ of, limit }, t) => ({
    what: t(
      "too large for {of, select, image {an image} video {a video} other {a document}} (at most {limit} MB)",
      { of, limit: limit / 2 ** 20 },
    ),
    next: t("Make it smaller and upload it again."),
  }),
};

/** Says what is wrong with a header's file, as part of a sentence, and what to do next. */
export const headerProblemWords = (problem: HeaderProblem, t: T): Advice => sayKind(words, problem, t);

function whyUnreachable(problem: HeaderUnreachable, t: T): string {
  if (problem.kind === "status")
    return t("its host answers {status}: overloaded or down", { status: problem.status });
  const detail = detailWords(problem.detail, t);

  return detail === "" ? t("it could not be fetched") : t("it could not be fetched: {detail}", { detail });
}

function afterUnreachable(kind: HeaderUnreachable["kind"], t: T): string {
  switch (kind) {
    case "tls":
      return t(
        "If a browser on another network rejects the certificate too, have it fixed: the service will also reject it.",
      );
    case "timeout":
      return t("Run the command again, or allow more time with --timeout.");
    case "proxy":
      return t("Correct the proxy's variable, or list the host in NO_PROXY.");
    case "status":
      return t("Run the command again later: the service would get the same answer now.");
    default:
      return t("Check this machine's network and the URL, and run the command again.");
  }
}

/** Says why a header's file could not be fetched, as part of a sentence, and what to do next. */
export const headerUnreachableWords = (problem: HeaderUnreachable, t: T): Advice => ({
  what: whyUnreachable(problem, t),
  next: afterUnreachable(problem.kind, t),
});
