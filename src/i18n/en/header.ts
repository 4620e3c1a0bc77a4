import type { HeaderWarning } from "../../contract/header-file.ts";
import type { HeaderProblem, HeaderUnreachable, OtherType } from "../../errors.ts";
import { type Words, wordsFor } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";

interface WhyAndNext {
  why: string;
  next: string;
}

const MB = 1024 * 1024;
/** Rounded up: what is over a limit must not look like the limit itself. */
const megabytes = (bytes: number): string => `${Math.ceil((bytes / MB) * 10) / 10} MB`;

const signInHint = "open the URL in a private browser window";
const own = "Put the file on a public web server or file host and give its own https:// URL.";

const kinds = {
  image: "An image",
  video: "A video",
  document: "A document",
};

const otherTypes: Readonly<Record<OtherType, { is: string; next: string }>> = (() => {
  const image = "Save it as a JPEG or PNG and put that there.";
  const video = "Convert it to an MP4 and put that there.";
  const document = "Save it as a PDF and put that there.";
  const any = "A header takes a JPEG or PNG image, an MP4 video or a PDF: put one of those there.";
  return {
    avif: { is: "an AVIF image", next: image },
    bmp: { is: "a BMP image", next: image },
    gif: { is: "a GIF image", next: image },
    heic: { is: "a HEIC image, as iPhones take them", next: image },
    svg: { is: "an SVG drawing", next: image },
    tiff: { is: "a TIFF image", next: image },
    webp: { is: "a WebP image", next: image },
    "3gp": { is: "a 3GP video", next: video },
    avi: { is: "an AVI video", next: video },
    mov: { is: "a QuickTime (MOV) video", next: video },
    webm: { is: "a WebM or Matroska video", next: video },
    m4a: { is: "M4A sound without a picture", next: any },
    mp3: { is: "MP3 sound", next: any },
    office: { is: "an Office document in the old format", next: document },
    zip: { is: "a ZIP archive, or a Word, Excel or PowerPoint file", next: document },
    text: { is: "plain text", next: any },
    unknown: { is: "a file whose first bytes are of no known kind", next: any },
  };
})();

const problems: Words<HeaderProblem, WhyAndNext> = {
  not_a_url: () => ({
    why: "It is not the URL of a file: the service downloads the file, and a path on this computer or the file itself (Base64) is of no use to it.",
    next: own,
  }),
  not_https: () => ({
    why: "The service downloads the file by https only.",
    next: "Give an https:// URL; most hosts answer at the same address with https.",
  }),
  credentials: () => ({
    why: "It carries a user name or password, and the service downloads the file without signing in.",
    next: `${own} In a private browser window it must open without a question.`,
  }),
  fragment: () => ({
    why: "A # ends what a server is asked for, so another file might be downloaded.",
    next: "Leave out the # and what stands behind it; where it belongs to the file's name, write it as %23.",
  }),
  unescaped: ({ escaped }) => ({
    why: "It holds spaces, accents or other characters that a URL cannot hold as they are.",
    next: `Write it as ${escaped}, or give the file a plain name.`,
  }),
  private_host: ({ host }) => ({
    why: `${host} can be reached from this machine or its network only, and the service downloads the file from the internet.`,
    next: own,
  }),
  redirects: ({ limit }) => ({
    why: `After ${limit} redirects there was still no file; a sign-in page is often the cause.`,
    next: `Give the URL at which the file itself lies: ${signInHint} to see where it leads.`,
  }),
  sign_in: ({ status }) => ({
    why: `Its host answers ${status}: it wants a sign-in, or a signed link has run out.`,
    next: `The service downloads the file without signing in: ${signInHint}, and share it so that it opens there.`,
  }),
  missing: ({ status }) => ({
    why: `Its host answers ${status}: there is no file at that URL.`,
    next: `Check the URL, capitals included: ${signInHint}.`,
  }),
  status: ({ status }) => ({
    why: `Its host answers ${status} and no file.`,
    next: `Check the URL: ${signInHint}, where the file itself must open.`,
  }),
  encoding: ({ encoding }) => ({
    why: `Its host sends it in the encoding "${encoding}", for which nobody asked.`,
    next: "Have it sent as it is, without a Content-Encoding, or put it on another host.",
  }),
  empty: () => ({
    why: "It is empty: the host sends no byte of it.",
    next: "Put the file there again.",
  }),
  web_page: ({ share }) => ({
    why:
      share === null
        ? "What comes from there is a web page (HTML), perhaps one to sign in, and not a file."
        : `A share link of ${share} leads to a web page around the file, and not to the file.`,
    next:
      share === "Dropbox"
        ? "Let the link end in raw=1 instead of dl=0, or put the file on a public web server."
        : share === null
          ? `Give the URL of the file itself: ${signInHint}, where the file must open without a page around it.`
          : own,
  }),
  other_type: ({ found }) => ({
    why: `It is ${otherTypes[found].is}, whatever its name ends in.`,
    next: otherTypes[found].next,
  }),
  too_large: ({ of, bytes, limit }) => ({
    why: `${kinds[of]} may have ${megabytes(limit)}, and it has ${bytes === null ? `more than ${megabytes(limit)}` : megabytes(bytes)}.`,
    next: "Make it smaller and put it there again.",
  }),
};

const again = "Check this machine's network and the URL, and run the command again.";

const failures: Words<HeaderUnreachable, WhyAndNext> = {
  dns: ({ detail }) => ({
    why: `The name of its host was not found: ${detailWords(detail)}`,
    next: `Check how the host's name is written, and this machine's network.`,
  }),
  refused: ({ detail }) => ({ why: `No connection to its host: ${detailWords(detail)}`, next: again }),
  tls: ({ detail }) => ({
    why: `The certificate or the encryption of its host does not hold: ${detailWords(detail)}`,
    next: `If a browser on another network complains too, have the host's certificate put right: the service will not take it either.`,
  }),
  timeout: ({ detail }) => ({
    why: `Its host is too slow: ${detailWords(detail)}`,
    next: "Run the command again, or allow more time with --timeout; what is slow here may be slow for the service.",
  }),
  reset: ({ detail }) => ({ why: `The connection to its host broke: ${detailWords(detail)}`, next: again }),
  protocol: ({ detail }) => ({
    why: `Its host sent what is not a valid answer: ${detailWords(detail)}`,
    next: "Check the URL, its port included, and run the command again.",
  }),
  proxy: ({ detail }) => ({
    why: `The way to its host is not open: ${detailWords(detail)}`,
    next: "Put the proxy's variable right or name the host in NO_PROXY, or send without that look by --no-preflight.",
  }),
  status: ({ status }) => ({
    why: `Its host answers ${status}: it is overloaded or out of order.`,
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

/** Why a header's file cannot be used, and what to do next. */
export function headerProblemWords(problem: HeaderProblem): WhyAndNext {
  return wordsFor(problems, problem);
}

/** Why a header's file could not be fetched, without a full stop where a detail ends it, and what to do next. */
export function headerUnreachableWords(problem: HeaderUnreachable): WhyAndNext {
  return wordsFor(failures, problem);
}

/** What may go wrong with a header's file, as a line of its own. */
export function headerWarningWords(warning: HeaderWarning): string {
  return `Warning: ${wordsFor(warnings, warning)}`;
}
