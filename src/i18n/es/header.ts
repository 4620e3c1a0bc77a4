import { headerAdvice, headerWarningsIn, unreachableAdvice, unreachableWords } from "../shared/files.ts";
import { detailWords } from "./call-errors.ts";

const own =
  "‹Pon› el archivo en un servidor web público o en un servicio de archivos, y ‹pasa› su propia URL https://.";
const direct =
  "‹Pasa› la URL del archivo mismo: en una ventana privada del navegador se tiene que abrir sin una página alrededor.";

/** What is wrong with a header's file, as part of a sentence, and what to do next. */
export const headerProblemWords = headerAdvice({
  not_https: { what: "no es una URL https, y el servicio solo descarga por https", next: own },
  credentials: { what: "lleva usuario o contraseña, y el servicio no inicia sesión", next: own },
  unescaped: {
    what: "tiene un #, espacios, acentos u otros caracteres que no van en una URL",
    next: "‹Escríbela› como {escaped} (el # de un nombre de archivo, %23), o ‹ponle› al archivo un nombre simple.",
  },
  private_host: {
    what: "a {host} solo se llega desde esta máquina o su red, y el servicio descarga el archivo desde internet",
    next: own,
  },
  redirects: { what: "después de {limit} redirecciones no hay archivo", next: direct },
  status: {
    what: "su servidor respondió {status}, y el servicio no inicia sesión",
    next: "‹Revisa› la URL, mayúsculas incluidas: el archivo se tiene que abrir en una ventana privada del navegador.",
  },
  encoding: {
    what: 'su servidor lo manda con la codificación "{encoding}", que nadie pidió',
    next: "‹Configúralo› para que lo mande sin Content-Encoding, o ‹usa› otro servidor.",
  },
  empty: { what: "el archivo está vacío", next: "‹Súbelo› de nuevo." },
  web_page: {
    what: "es una página web (HTML), por ejemplo para iniciar sesión o para ver el archivo",
    next: direct,
  },
  other_type: {
    what: "su contenido no es JPEG, PNG, MP4 ni PDF, aunque su nombre diga otra cosa",
    next: "‹Sube› una imagen JPEG o PNG, un video MP4 o un PDF.",
  },
  too_large: {
    what: {
      of: {
        image: "pesa más de lo que puede pesar una imagen ({limit:MiB} MB)",
        video: "pesa más de lo que puede pesar un video ({limit:MiB} MB)",
        document: "pesa más de lo que puede pesar un documento ({limit:MiB} MB)",
      },
    },
    next: "‹Hazlo› más ‹ligero› y ‹súbelo› de nuevo.",
  },
});

/** Why a header's file could not be fetched, as part of a sentence, and what to do next. */
export const headerUnreachableWords = unreachableAdvice({ detail: detailWords })({
  what: unreachableWords({
    status: "su servidor respondió {status}: está sobrecargado o fuera de servicio",
    else: "no se pudo descargar[: {detail}]",
  }),
  next: {
    tls: "Si un navegador en otra red tampoco acepta el certificado, ‹pide› que lo corrijan: el servicio tampoco lo va a aceptar.",
    timeout: "‹Corre› el comando de nuevo, o dale más tiempo con --timeout.",
    proxy: "‹Corrige› la variable del proxy, o ‹agrega› el host a NO_PROXY.",
    status: "‹Corre› el comando de nuevo más tarde; ahora el servicio recibiría la misma respuesta.",
    network: "‹Revisa› la red de esta máquina y la URL, y ‹corre› el comando de nuevo.",
  },
});

/** What may go wrong with a header's file, as a line of its own. */
export const headerWarningWords = headerWarningsIn({
  "image/jpeg": "una imagen JPEG",
  "image/png": "una imagen PNG",
  "video/mp4": "un video MP4",
  "application/pdf": "un PDF",
})({
  file_name:
    'Atención: el nombre del documento sale de su URL, que lo deja en "{name}": ‹haz› que la URL termine en un nombre como menu.pdf.',
  content_type: {
    said: 'Atención: el archivo de encabezado es {what}, pero su servidor dice que es "{said}", y WhatsApp puede guiarse por eso: ‹configúralo› para que lo mande como {type}.',
    else: "Atención: el archivo de encabezado es {what}, pero su servidor no lo dice (falta el Content-Type), y WhatsApp puede guiarse por eso: ‹configúralo› para que lo mande como {type}.",
  },
});
