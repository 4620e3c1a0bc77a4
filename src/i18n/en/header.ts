import type { HeaderWarning } from "../../contract/limits.ts";
import type { HeaderProblem, HeaderUnreachable, OtherType } from "../../errors.ts";
import { type Words, wordsFor } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";

interface WhatAndNext {
  what: string;
  next: string;
}

const MB = 1024 * 1024;
/** Rounded up: what is over a limit must not look like the limit itself. */
const megabytes = (bytes: number): string => `${Math.ceil((bytes / MB) * 10) / 10} MB`;

const own = "Put the file on a public web server or file host and pass its own https:// URL.";
const direct =
  "Pass the URL of the file itself: in a private browser window it must open without a page around it.";

const kinds = { image: "an image", video: "a video", document: "a document" };

const asImage = "Save it as a JPEG or PNG and upload that.";
const asVideo = "Convert it to an MP4 and upload that.";
const asDocument = "Save it as a PDF and upload that.";
const anyKind = "Upload a JPEG or PNG image, an MP4 video or a PDF.";

const otherTypes: Readonly<Record<OtherType, readonly [is: string, next: string]>> = {
  avif: ["an AVIF image", asImage],
  bmp: ["a BMP image", asImage],
  gif: ["a GIF image", asImage],
  heic: ["a HEIC image, as iPhones take them", asImage],
  svg: ["an SVG drawing", asImage],
  tiff: ["a TIFF image", asImage],
  webp: ["a WebP image", asImage],
  "3gp": ["a 3GP video", asVideo],
  avi: ["an AVI video", asVideo],
  mov: ["a QuickTime (MOV) video", asVideo],
  webm: ["a WebM or Matroska video", asVideo],
  m4a: ["M4A sound without a picture", anyKind],
  mp3: ["MP3 sound", anyKind],
  office: ["an Office document in the old format", asDocument],
  zip: ["a ZIP archive, or a Word, Excel or PowerPoint file", asDocument],
  text: ["plain text", anyKind],
  unknown: ["a file of unknown type", anyKind],
};

const problems: Words<HeaderProblem, WhatAndNext> = {
  not_a_url: () => ({ what: "not a URL, and the service downloads the file", next: own }),
  not_https: () => ({
    what: "not https, and the service downloads by https only",
    next: "Pass an https:// URL; most hosts answer at the same address with https.",
  }),
  credentials: () => ({
    what: "it has a user name or password, and the service does not sign in",
    next: own,
  }),
  fragment: () => ({
    what: "a # ends the request, so another file might be downloaded",
    next: "Leave out the # and what follows; in a file name write it as %23.",
  }),
  unescaped: ({ escaped }) => ({
    what: "spaces, accents or other characters that a URL cannot hold",
    next: `Write it as ${escaped}, or give the file a plain name.`,
  }),
  private_host: ({ host }) => ({
    what: `${host} is reachable from this machine or its network only, and the service downloads from the internet`,
    next: own,
  }),
  redirects: ({ limit }) => ({ what: `no file after ${limit} redirects`, next: direct }),
  sign_in: ({ status }) => ({
    what: `its host answers ${status}: it needs a sign-in, or a signed link has expired`,
    next: "The service does not sign in: share the file so that it opens in a private browser window.",
  }),
  missing: ({ status }) => ({
    what: `its host answers ${status}: no such file`,
    next: "Check the URL, capitals included, in a private browser window.",
  }),
  status: ({ status }) => ({ what: `its host answers ${status}`, next: direct }),
  encoding: ({ encoding }) => ({
    what: `its host sends it in the unrequested encoding "${encoding}"`,
    next: "Have it sent without Content-Encoding, or use another host.",
  }),
  empty: () => ({ what: "the file is empty", next: "Upload it again." }),
  web_page: ({ share }) => ({
    what:
      share === null
        ? "a web page (HTML), perhaps to sign in, and not a file"
        : `a share link of ${share}, which leads to a web page around the file`,
    next:
      share === "Dropbox"
        ? "End the link in raw=1 instead of dl=0, or put the file on a public web server."
        : share === null
          ? direct
          : own,
  }),
  other_type: ({ found }) => {
    const [is, next] = otherTypes[found];
    return { what: `it is ${is}, whatever its name ends in`, next };
  },
  too_large: ({ of, bytes, limit }) => ({
    what: `${bytes === null ? `more than ${megabytes(limit)}` : megabytes(bytes)}, and ${kinds[of]} may have ${megabytes(limit)}`,
    next: "Make it smaller and upload it again.",
  }),
};

const again = "Check this machine's network and the URL, and run the command again.";

const failures: Words<HeaderUnreachable, WhatAndNext> = {
  dns: ({ detail }) => ({ what: `its host was not found: ${detailWords(detail)}`, next: again }),
  refused: ({ detail }) => ({ what: `no connection to its host: ${detailWords(detail)}`, next: again }),
  tls: ({ detail }) => ({
    what: `its host's certificate is not accepted: ${detailWords(detail)}`,
    next: "If a browser on another network complains too, have the certificate corrected: the service will refuse it as well.",
  }),
  timeout: ({ detail }) => ({
    what: `its host is too slow: ${detailWords(detail)}`,
    next: "Run the command again, or allow more time with --timeout; what is slow here may be slow for the service.",
  }),
  reset: ({ detail }) => ({ what: `the connection to its host broke: ${detailWords(detail)}`, next: again }),
  protocol: ({ detail }) => ({ what: `its host sent no valid answer: ${detailWords(detail)}`, next: again }),
  proxy: ({ detail }) => ({
    what: `its host cannot be reached: ${detailWords(detail)}`,
    next: "Correct the proxy's variable, or list the host in NO_PROXY.",
  }),
  status: ({ status }) => ({
    what: `its host answers ${status}: overloaded or out of order`,
    next: "Run the command again later; the service would get the same answer now.",
  }),
};

const typeNames = {
  "image/jpeg": "a JPEG image",
  "image/png": "a PNG image",
  "video/mp4": "an MP4 video",
  "application/pdf": "a PDF",
};

const warnings: Words<HeaderWarning, string> = {
  file_name: ({ name }) =>
    `the document's name is taken from its URL, which ${
      name === null ? "ends in none" : `makes it "${name}"`
    }: let the URL end in a name such as menu.pdf.`,
  content_type: ({ said, type }) =>
    `the header file is ${typeNames[type]}, but its host ${
      said === null ? "does not say so (no Content-Type)" : `calls it "${said}"`
    }, and WhatsApp may go by that: have it served as ${type}.`,
  size_unknown: ({ counted }) =>
    `the header file's host does not say how large it is, and only ${megabytes(counted)} were counted in the time allowed.`,
};

/** What is wrong with a header's file, as part of a sentence, and what to do next. */
export const headerProblemWords = (problem: HeaderProblem): WhatAndNext => wordsFor(problems, problem);

/** Why a header's file could not be fetched, as part of a sentence, and what to do next. */
export const headerUnreachableWords = (problem: HeaderUnreachable): WhatAndNext =>
  wordsFor(failures, problem);

/** What may go wrong with a header's file, as a line of its own. */
export function headerWarningWords(warning: HeaderWarning): string {
  return `Warning: ${wordsFor(warnings, warning)}`;
}
