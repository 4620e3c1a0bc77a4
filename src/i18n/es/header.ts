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
const megabytes = (bytes: number): string =>
  `${String(Math.ceil((bytes / MB) * 10) / 10).replace(".", ",")} MB`;

const own =
  "Poné el archivo en un servidor web público o en un servicio de archivos, y pasá su propia URL https://.";
const direct =
  "Pasá la URL del archivo mismo: en una ventana privada del navegador se tiene que abrir sin una página alrededor.";

const kinds = { image: "una imagen", video: "un video", document: "un documento" };

const asImage = "Pasalo a JPEG o PNG y subí ese.";
const asVideo = "Convertilo a MP4 y subí ese.";
const asDocument = "Guardalo como PDF y subí ese.";
const anyKind = "Subí una imagen JPEG o PNG, un video MP4 o un PDF.";

const otherTypes: Readonly<Record<OtherType, readonly [is: string, next: string]>> = {
  avif: ["una imagen AVIF", asImage],
  bmp: ["una imagen BMP", asImage],
  gif: ["una imagen GIF", asImage],
  heic: ["una imagen HEIC, de las que sacan los iPhone", asImage],
  svg: ["un dibujo SVG", asImage],
  tiff: ["una imagen TIFF", asImage],
  webp: ["una imagen WebP", asImage],
  "3gp": ["un video 3GP", asVideo],
  avi: ["un video AVI", asVideo],
  mov: ["un video QuickTime (MOV)", asVideo],
  webm: ["un video WebM o Matroska", asVideo],
  m4a: ["un audio M4A, sin imagen", anyKind],
  mp3: ["un audio MP3", anyKind],
  office: ["un documento de Office en el formato viejo", asDocument],
  zip: ["un archivo ZIP, o uno de Word, Excel o PowerPoint", asDocument],
  text: ["texto solo", anyKind],
  unknown: ["un archivo de tipo desconocido", anyKind],
};

const problems: Words<HeaderProblem, WhatAndNext> = {
  not_a_url: () => ({ what: "no es una URL, y el servicio es el que baja el archivo", next: own }),
  not_https: () => ({
    what: "no es https, y el servicio solo baja por https",
    next: "Pasá una URL https://; casi todos los servidores contestan en la misma dirección con https.",
  }),
  credentials: () => ({ what: "lleva usuario o contraseña, y el servicio no inicia sesión", next: own }),
  fragment: () => ({
    what: "un # corta lo que se le pide al servidor, así que podría bajarse otro archivo",
    next: "Sacá el # y lo que sigue; en el nombre de un archivo se escribe %23.",
  }),
  unescaped: ({ escaped }) => ({
    what: "tiene espacios, acentos u otros caracteres que no van en una URL",
    next: `Escribila como ${escaped}, o ponele al archivo un nombre simple.`,
  }),
  private_host: ({ host }) => ({
    what: `a ${host} solo se llega desde esta máquina o su red, y el servicio baja el archivo desde internet`,
    next: own,
  }),
  redirects: ({ limit }) => ({ what: `después de ${limit} redirecciones no hay archivo`, next: direct }),
  sign_in: ({ status }) => ({
    what: `su servidor contesta ${status}: pide iniciar sesión, o venció un enlace firmado`,
    next: "El servicio no inicia sesión: compartilo para que se abra en una ventana privada del navegador.",
  }),
  missing: ({ status }) => ({
    what: `su servidor contesta ${status}: no existe ese archivo`,
    next: "Revisá la URL, mayúsculas incluidas, en una ventana privada del navegador.",
  }),
  status: ({ status }) => ({ what: `su servidor contesta ${status}`, next: direct }),
  encoding: ({ encoding }) => ({
    what: `su servidor lo manda con la codificación "${encoding}", que nadie pidió`,
    next: "Hacé que lo mande sin Content-Encoding, o usá otro servidor.",
  }),
  empty: () => ({ what: "el archivo está vacío", next: "Subilo de nuevo." }),
  web_page: ({ share }) => ({
    what:
      share === null
        ? "es una página web (HTML), quizás para iniciar sesión, y no un archivo"
        : `es un enlace compartido de ${share}, que lleva a una página web alrededor del archivo`,
    next:
      share === "Dropbox"
        ? "Hacé que el enlace termine en raw=1 en lugar de dl=0, o poné el archivo en un servidor web público."
        : share === null
          ? direct
          : own,
  }),
  other_type: ({ found }) => {
    const [is, next] = otherTypes[found];
    return { what: `es ${is}, diga lo que diga su nombre`, next };
  },
  too_large: ({ of, bytes, limit }) => ({
    what: `pesa ${bytes === null ? `más de ${megabytes(limit)}` : megabytes(bytes)}, y ${kinds[of]} puede pesar ${megabytes(limit)}`,
    next: "Achicalo y subilo de nuevo.",
  }),
};

const again = "Revisá la red de esta máquina y la URL, y corré el comando de nuevo.";

const failures: Words<HeaderUnreachable, WhatAndNext> = {
  dns: ({ detail }) => ({ what: `no se encontró su servidor: ${detailWords(detail)}`, next: again }),
  refused: ({ detail }) => ({ what: `no hay conexión con su servidor: ${detailWords(detail)}`, next: again }),
  tls: ({ detail }) => ({
    what: `no se acepta el certificado de su servidor: ${detailWords(detail)}`,
    next: "Si un navegador en otra red también se queja, pedí que arreglen el certificado: el servicio tampoco lo va a aceptar.",
  }),
  timeout: ({ detail }) => ({
    what: `su servidor es demasiado lento: ${detailWords(detail)}`,
    next: "Corré el comando de nuevo, o dale más tiempo con --timeout; lo que es lento acá puede serlo para el servicio.",
  }),
  reset: ({ detail }) => ({
    what: `se cortó la conexión con su servidor: ${detailWords(detail)}`,
    next: again,
  }),
  protocol: ({ detail }) => ({
    what: `su servidor no dio una respuesta válida: ${detailWords(detail)}`,
    next: again,
  }),
  proxy: ({ detail }) => ({
    what: `no se llega a su servidor: ${detailWords(detail)}`,
    next: "Corregí la variable del proxy, o anotá el host en NO_PROXY.",
  }),
  status: ({ status }) => ({
    what: `su servidor contesta ${status}: está sobrecargado o fuera de servicio`,
    next: "Corré el comando de nuevo más tarde; ahora el servicio recibiría la misma respuesta.",
  }),
};

const typeNames = {
  "image/jpeg": "una imagen JPEG",
  "image/png": "una imagen PNG",
  "video/mp4": "un video MP4",
  "application/pdf": "un PDF",
};

const warnings: Words<HeaderWarning, string> = {
  file_name: ({ name }) =>
    `el nombre del documento sale de su URL, que ${
      name === null ? "no termina en ninguno" : `lo deja en "${name}"`
    }: hacé que la URL termine en un nombre como menu.pdf.`,
  content_type: ({ said, type }) =>
    `el archivo de encabezado es ${typeNames[type]}, pero su servidor ${
      said === null ? "no lo dice (falta el Content-Type)" : `lo llama "${said}"`
    }, y WhatsApp puede guiarse por eso: hacé que lo mande como ${type}.`,
  size_unknown: ({ counted }) =>
    `el servidor del archivo de encabezado no dice cuánto pesa, y en el tiempo permitido se contaron solo ${megabytes(counted)}.`,
};

/** What is wrong with a header's file, as part of a sentence, and what to do next. */
export const headerProblemWords = (problem: HeaderProblem): WhatAndNext => wordsFor(problems, problem);

/** Why a header's file could not be fetched, as part of a sentence, and what to do next. */
export const headerUnreachableWords = (problem: HeaderUnreachable): WhatAndNext =>
  wordsFor(failures, problem);

/** What may go wrong with a header's file, as a line of its own. */
export const headerWarningWords = (warning: HeaderWarning): string =>
  `Atención: ${wordsFor(warnings, warning)}`;
