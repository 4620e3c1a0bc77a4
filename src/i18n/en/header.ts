import { headerAdvice, headerWarningsIn, unreachableAdvice, unreachableWords } from "../shared/files.ts";
import { detailWords } from "./call-errors.ts";

const own = "Put the file on a public web server or file host and pass its own https:// URL.";
const direct =
  "Pass the URL of the file itself: in a private browser window it must open without a page around it.";

/** What is wrong with a header's file, as part of a sentence, and what to do next. */
export const headerProblemWords = headerAdvice({
  not_https: { what: "not an https URL, and the service downloads by https only", next: own },
  credentials: { what: "it has a user name or password, and the service does not sign in", next: own },
  unescaped: {
    what: "a #, spaces, accents or other characters that a URL cannot hold",
    next: "Write it as {escaped} (a # in a file name as %23), or give the file a plain name.",
  },
  private_host: {
    what: "{host} is reachable from this machine or its network only, and the service downloads from the internet",
    next: own,
  },
  redirects: { what: "no file after {limit} redirects", next: direct },
  status: {
    what: "its host answers {status}, and the service does not sign in",
    next: "Check the URL, capitals included: the file must open in a private browser window.",
  },
  encoding: {
    what: 'its host sends it in the unrequested encoding "{encoding}"',
    next: "Configure the host to send it without Content-Encoding, or use another host.",
  },
  empty: { what: "the file is empty", next: "Upload it again." },
  web_page: { what: "a web page (HTML), such as a sign-in page or a preview of the file", next: direct },
  other_type: {
    what: "its content is not JPEG, PNG, MP4 or PDF, whatever its name ends in",
    next: "Upload a JPEG or PNG image, an MP4 video or a PDF.",
  },
  too_large: {
    what: {
      of: {
        image: "larger than an image may be ({limit:MiB} MB)",
        video: "larger than a video may be ({limit:MiB} MB)",
        document: "larger than a document may be ({limit:MiB} MB)",
      },
    },
    next: "Make it smaller and upload it again.",
  },
});

/** Why a header's file could not be fetched, as part of a sentence, and what to do next. */
export const headerUnreachableWords = unreachableAdvice({ detail: detailWords })({
  what: unreachableWords({
    status: "its host answers {status}: overloaded or out of order",
    else: "it could not be fetched[: {detail}]",
  }),
  next: {
    tls: "If a browser on another network rejects the certificate too, have it corrected: the service will reject it as well.",
    timeout: "Run the command again, or allow more time with --timeout.",
    proxy: "Correct the proxy's variable, or list the host in NO_PROXY.",
    status: "Run the command again later; the service would get the same answer now.",
    network: "Check this machine's network and the URL, and run the command again.",
  },
});

/** What may go wrong with a header's file, as a line of its own. */
export const headerWarningWords = headerWarningsIn({
  "image/jpeg": "a JPEG image",
  "image/png": "a PNG image",
  "video/mp4": "an MP4 video",
  "application/pdf": "a PDF",
})({
  file_name:
    'Warning: the document\'s name is taken from its URL, which makes it "{name}": let the URL end in a name such as menu.pdf.',
  content_type: {
    said: 'Warning: the header file is {what}, but its host calls it "{said}", and WhatsApp may go by that: have it served as {type}.',
    else: "Warning: the header file is {what}, but its host does not say so (no Content-Type), and WhatsApp may go by that: have it served as {type}.",
  },
});
