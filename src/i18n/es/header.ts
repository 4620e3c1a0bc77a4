import type { HeaderWarning } from "../../contract/header-file.ts";
import type { HeaderProblem, HeaderUnreachable, OtherType } from "../../errors.ts";
import type {
  headerProblemWords as enHeaderProblemWords,
  headerUnreachableWords as enHeaderUnreachableWords,
  headerWarningWords as enHeaderWarningWords,
} from "../en/header.ts";
import { type Words, wordsFor } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";

type WhyAndNext = ReturnType<typeof enHeaderProblemWords>;

const MB = 1024 * 1024;
/** Rounded up: what is over a limit must not look like the limit itself. */
const megabytes = (bytes: number): string =>
  `${String(Math.ceil((bytes / MB) * 10) / 10).replace(".", ",")} MB`;

const signInHint = "abrí la URL en una ventana privada del navegador";
const own =
  "Poné el archivo en un servidor web público o en un servicio de archivos, y pasá su propia URL https://.";

const kinds = {
  image: "Una imagen",
  video: "Un video",
  document: "Un documento",
};

const otherTypes: Readonly<Record<OtherType, { is: string; next: string }>> = (() => {
  const image = "Guardala como JPEG o PNG y poné esa.";
  const video = "Convertilo a MP4 y poné ese.";
  const document = "Guardalo como PDF y poné ese.";
  const any = "Un encabezado lleva una imagen JPEG o PNG, un video MP4 o un PDF: poné uno de esos.";
  return {
    avif: { is: "una imagen AVIF", next: image },
    bmp: { is: "una imagen BMP", next: image },
    gif: { is: "una imagen GIF", next: image },
    heic: { is: "una imagen HEIC, de las que sacan los iPhone", next: image },
    svg: { is: "un dibujo SVG", next: "Guardalo como JPEG o PNG y poné ese." },
    tiff: { is: "una imagen TIFF", next: image },
    webp: { is: "una imagen WebP", next: image },
    "3gp": { is: "un video 3GP", next: video },
    avi: { is: "un video AVI", next: video },
    mov: { is: "un video QuickTime (MOV)", next: video },
    webm: { is: "un video WebM o Matroska", next: video },
    m4a: { is: "un audio M4A, sin imagen", next: any },
    mp3: { is: "un audio MP3", next: any },
    office: { is: "un documento de Office en el formato viejo", next: document },
    zip: { is: "un archivo ZIP, o uno de Word, Excel o PowerPoint", next: document },
    text: { is: "texto solo", next: any },
    unknown: { is: "un archivo cuyos primeros bytes no son de ningún tipo conocido", next: any },
  };
})();

const problems: Words<HeaderProblem, WhyAndNext> = {
  not_a_url: () => ({
    why: "No es la URL de un archivo: el servicio baja el archivo, y no le sirven ni una ruta de esta computadora ni el archivo en sí (Base64).",
    next: own,
  }),
  not_https: () => ({
    why: "El servicio baja el archivo solo por https.",
    next: "Pasá una URL https://; casi todos los servidores responden por https en la misma dirección.",
  }),
  credentials: () => ({
    why: "Lleva un usuario o una contraseña, y el servicio baja el archivo sin iniciar sesión.",
    next: `${own} En una ventana privada del navegador tiene que abrirse sin preguntar nada.`,
  }),
  fragment: () => ({
    why: "Al servidor se le pide solo lo que está antes del #, así que podría bajarse otro archivo.",
    next: "Sacá el # y lo que sigue; si es parte del nombre del archivo, escribilo como %23.",
  }),
  unescaped: ({ escaped }) => ({
    why: "Tiene espacios, tildes u otros caracteres que no van así en una URL.",
    next: `Escribila como ${escaped}, o ponele al archivo un nombre simple.`,
  }),
  private_host: ({ host }) => ({
    why: `A ${host} se llega solo desde esta máquina o su red, y el servicio baja el archivo desde internet.`,
    next: own,
  }),
  redirects: ({ limit }) => ({
    why: `Después de ${limit} redirecciones seguía sin aparecer un archivo; muchas veces es por una página de ingreso.`,
    next: `Pasá la URL donde está el archivo en sí: ${signInHint} para ver adónde lleva.`,
  }),
  sign_in: ({ status }) => ({
    why: `Su servidor responde ${status}: pide iniciar sesión, o venció un enlace firmado.`,
    next: `El servicio baja el archivo sin iniciar sesión: ${signInHint}, y compartilo de forma que ahí se abra.`,
  }),
  missing: ({ status }) => ({
    why: `Su servidor responde ${status}: en esa URL no hay ningún archivo.`,
    next: `Revisá la URL, mayúsculas incluidas: ${signInHint}.`,
  }),
  status: ({ status }) => ({
    why: `Su servidor responde ${status}, sin ningún archivo.`,
    next: `Revisá la URL: ${signInHint} y fijate que se abra el archivo en sí.`,
  }),
  encoding: ({ encoding }) => ({
    why: `Su servidor lo manda con la codificación "${encoding}", que nadie pidió.`,
    next: "Hacé que lo mande tal como es, sin Content-Encoding, o ponelo en otro servidor.",
  }),
  empty: () => ({
    why: "Está vacío: su servidor no manda ni un byte.",
    next: "Poné el archivo ahí de nuevo.",
  }),
  web_page: ({ share }) => ({
    why:
      share === null
        ? "Lo que viene de ahí es una página web (HTML), quizás una de ingreso, y no un archivo."
        : `Un enlace para compartir de ${share} lleva a una página web con el archivo adentro, y no al archivo.`,
    next:
      share === "Dropbox"
        ? "Hacé que el enlace termine en raw=1 en vez de dl=0, o poné el archivo en un servidor web público."
        : share === null
          ? `Pasá la URL del archivo en sí: ${signInHint} y fijate que se abra sin una página alrededor.`
          : own,
  }),
  other_type: ({ found }) => ({
    why: `Es ${otherTypes[found].is}, diga lo que diga la extensión del nombre.`,
    next: otherTypes[found].next,
  }),
  too_large: ({ of, bytes, limit }) => ({
    why: `${kinds[of]} puede pesar hasta ${megabytes(limit)}, y este archivo pesa ${bytes === null ? `más de ${megabytes(limit)}` : megabytes(bytes)}.`,
    next: "Achicalo y ponelo ahí de nuevo.",
  }),
};

const again = "Revisá la red de esta máquina y la URL, y corré el comando de nuevo.";

const failures: Words<HeaderUnreachable, WhyAndNext> = {
  dns: ({ detail }) => ({
    why: `No se encontró el nombre de su servidor: ${detailWords(detail)}`,
    next: "Revisá cómo está escrito el nombre del servidor, y la red de esta máquina.",
  }),
  refused: ({ detail }) => ({ why: `No hay conexión con su servidor: ${detailWords(detail)}`, next: again }),
  tls: ({ detail }) => ({
    why: `El certificado o el cifrado de su servidor no vale: ${detailWords(detail)}`,
    next: "Si un navegador en otra red también se queja, hacé arreglar el certificado del servidor: el servicio tampoco lo va a aceptar.",
  }),
  timeout: ({ detail }) => ({
    why: `Su servidor es demasiado lento: ${detailWords(detail)}`,
    next: "Corré el comando de nuevo, o dale más tiempo con --timeout; lo que acá es lento también puede serlo para el servicio.",
  }),
  reset: ({ detail }) => ({
    why: `Se cortó la conexión con su servidor: ${detailWords(detail)}`,
    next: again,
  }),
  protocol: ({ detail }) => ({
    why: `Lo que mandó su servidor no es una respuesta válida: ${detailWords(detail)}`,
    next: "Revisá la URL, puerto incluido, y corré el comando de nuevo.",
  }),
  proxy: ({ detail }) => ({
    why: `No hay camino a su servidor: ${detailWords(detail)}`,
    next: "Corregí la variable del proxy o anotá el host en NO_PROXY, o mandá sin mirarlo antes con --no-preflight.",
  }),
  status: ({ status }) => ({
    why: `Su servidor responde ${status}: está sobrecargado o no funciona.`,
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

/** Why a header's file cannot be used, and what to do next. */
export const headerProblemWords: typeof enHeaderProblemWords = (problem) => wordsFor(problems, problem);

/** Why a header's file could not be fetched, without a full stop where a detail ends it, and what to do next. */
export const headerUnreachableWords: typeof enHeaderUnreachableWords = (problem) =>
  wordsFor(failures, problem);

/** What may go wrong with a header's file, as a line of its own. */
export const headerWarningWords: typeof enHeaderWarningWords = (warning) =>
  `Atención: ${wordsFor(warnings, warning)}`;
