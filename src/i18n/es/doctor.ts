import type { CheckName } from "../../errors/findings.ts";
import { sizeText, times } from "../../texts/phrases.ts";
import type { doctor as enDoctor } from "../en/doctor.ts";
import { findingsIn, processWords, unknownKeyWords, usedWords } from "../shared/doctor.ts";
import { clientCertNext, detailWords, untrustedNext } from "./call-errors.ts";
import { errors } from "./errors.ts";
import { dates } from "./general.ts";
import { profile } from "./profiles.ts";

/** How each row begins; the steps of an address stand below it. */
const labels: Readonly<Record<CheckName, string>> = {
  node: "Node.js",
  config: "Configuración",
  profile: "Perfil",
  key: "Clave",
  ca_file: "Archivo de CA",
  client_cert: "Certificado propio",
  certificates: "Certificados",
  base_url: "Dirección de pedidos",
  base_url_dns: "  Nombre",
  base_url_tcp: "  Conexión",
  base_url_tls: "  TLS",
  base_url_http: "  Respuesta",
  campaigns_base_url: "Dirección de campañas",
  campaigns_base_url_dns: "  Nombre",
  campaigns_base_url_tcp: "  Conexión",
  campaigns_base_url_tls: "  TLS",
  campaigns_base_url_http: "  Respuesta",
  proxy: "Proxy",
  base_url_access: "Clave en pedidos",
  campaigns_base_url_access: "Clave en campañas",
  clock: "Reloj",
  printer: "Impresora",
  journal: "Registro",
  journal_rights: "  Permisos",
  journal_schema: "  Esquema",
  unfinished: "Sin terminar",
  disk: "Disco",
};

const findings = findingsIn({
  date: dates.date,
  time: dates.time,
  detail: detailWords,
  errors,
  size: (bytes, sign) => sizeText(bytes, sign ?? ","),
  sources: profile.sources,
  untrustedNext,
  clientCertNext,
  slowKeyNext:
    "Si pide una contraseña, dale tiempo: `bpos doctor --timeout 60s`. Si no, ‹córrelo› a mano para ver qué espera.",
  form: { npm: "paquete de npm", binary: "ejecutable", deb: "paquete de Debian" },
  use: { base_url: "pedidos y catálogo", campaigns_base_url: "campañas" },
  used: usedWords("{shown} para {use} ({variable})"),
  process: processWords("{pid}[ en {host}]"),
  unknownKey: unknownKeyWords({
    similar: '‹Escribe› {similar} en lugar de "{key}".',
    else: '‹Quita› "{key}" del perfil.',
  }),
})({
  node: {
    detail: "{version}, con bpos {bpos} ({form})",
    remedy: "‹Instala› Node.js {oldest} o más nuevo desde https://nodejs.org.",
  },
  config: {
    detail: {
      profiles: "{file}, {profiles|perfil|perfiles}",
      else: "todavía no hay: {file} no existe. `bpos init` lo crea.",
    },
  },
  no_profile: { detail: "ninguno" },
  profile: { detail: '{name} ({from})[, {sandbox}][; desconocido: "{unknown}"]' },
  key: {
    detail: "{shown}[ ({from})][; otros en esta máquina pueden leer {file}]",
    remedy: "‹Corre›: {chmod}",
  },
  ca_file: { detail: "también se confía en los certificados de {file}" },
  client_cert: {
    detail: {
      isOver: "{file} venció el {until}[; otros en esta máquina pueden leer {open}]",
      else: "{file}, vale {days|día|días} más, hasta el {until}[; otros en esta máquina pueden leer {open}]",
    },
    remedy: {
      chmod: "‹Corre›: {chmod}",
      else: "‹Pídele› uno nuevo a quien lo emitió: vencido, el servicio lo rechaza.",
    },
  },
  same_server: { detail: "el mismo servidor que para pedidos y catálogo" },
  dns: { detail: { address: "{host} es {address}", else: "{host}" } },
  tcp: { detail: "{to}[, por el proxy {via}]" },
  unreached: {
    detail: "no se pudo llegar a {to}: {detail}",
    remedy:
      "‹Revisa› la dirección y el puerto, la red de esta máquina y su firewall; en una red con proxy, ‹pon› HTTPS_PROXY. `bpos mock` arranca un mock. Si todo eso está bien, el servicio está caído: ‹prueba› más tarde.",
  },
  tls_none: {
    detail: "no hay: la clave va a {host} sin cifrar",
    remedy: "‹Usa› la dirección que empieza con https://.",
  },
  tls: {
    detail: "el certificado vale por {days|día|días}, hasta el {until} ({issuer})",
    remedy: "‹Pídele› a quien administra el servicio que lo renueve.",
  },
  tls_untrusted: {
    detail: "certificado rechazado: {detail}",
    remedy: "Si venció, tiene que renovarlo quien administra el servicio. {untrustedNext}",
  },
  tls_client: {
    detail: "certificado de cliente rechazado o ausente: {detail}",
    remedy: "{clientCertNext}",
  },
  tls_failed: {
    detail: "ahí no hay TLS: {detail}",
    remedy: "‹Revisa› el puerto, y si la dirección no tendría que empezar con http://.",
  },
  http: { detail: "el servicio contesta en {ms} ms ({status})" },
  http_not_service: {
    detail: '{status}, pero no es el servicio: {detail}[ ("{quote}")]',
    remedy: "‹Revisa› la dirección de {use}, con su ruta. ‹Prueba› otra con `bpos doctor {flag} URL`.",
  },
  http_failed: {
    detail: "el servicio no puede contestar ahora: {detail}.",
    remedy:
      "‹Prueba› de nuevo en unos minutos, con más tiempo: `bpos doctor --timeout 30s`. Si sigue igual, ‹avísale› a quien administra el servicio.",
  },
  access: { detail: "aceptada[; {waiting|pedido espera|pedidos esperan}]" },
  proxy: { detail: { used: "{used}", else: "ninguno para estas direcciones" } },
  clock: {
    detail: {
      isUnknown: "el servicio no informa su hora",
      mockTime: "el reloj del mock marca {mockTime}, y bpos muestra con él las horas del mock",
      isBehind: "{span} atrasado respecto del servicio",
      else: "{span} adelantado respecto del servicio",
    },
    remedy:
      "‹Ajusta la hora de› esta máquina: la hora de una subida decide qué precio vale, y con una hora de adelanto no se sube nada. Si el que ‹está› mal es el reloj del servicio, ‹sube› con --force.",
  },
  printer: { detail: { station: "{station}: {url} acepta conexiones", else: "{url} acepta conexiones" } },
  journal: {
    detail: {
      size: "en buen estado: {file}, {size}",
      else: "todavía no hay: {file} se crea cuando hace falta",
    },
  },
  journal_busy: {
    detail: "otro bpos está usando {file} en este momento",
    remedy: "‹Corre› `bpos doctor` de nuevo cuando ese termine.",
  },
  database: {
    detail: {
      tls: "PostgreSQL {version} en {name} responde en {ms} ms, con TLS",
      else: "PostgreSQL {version} en {name} responde en {ms} ms, sin TLS",
    },
    remedy: "‹Usa› sslmode=verify-full en la dirección: el registro tiene teléfonos de clientes.",
  },
  database_rights: {
    detail: {
      exists: "{user} lee y escribe el esquema bpos",
      else: "{user} puede crear el esquema bpos",
    },
  },
  schema: {
    detail: {
      version: "versión {version}, al día[; no se copió ahí {left}]",
      else: "todavía no hay: se crea cuando hace falta[; no se copió ahí {left}]",
    },
    remedy:
      "‹Cópialo› mientras la base esté vacía: `bpos journal copy`. Si no, ‹termina› lo que quedó pendiente en él, sin BPOS_JOURNAL ni journal, y después ‹mueve› el archivo a otro lado: con él se pierde el dato de a quién se le mandó.",
  },
  work: {
    detail: {
      processes: "en marcha en {count?el proceso|los procesos} {processes}",
      sends: "campañas sin terminar: {sends}[; una subida de catálogo sin terminar: {push}]",
      push: "una subida de catálogo sin terminar: {push}",
      else: "nada",
    },
    remedy: {
      hasBoth: {
        isStdin: "‹Termínalo›: {resume}, después la misma subida otra vez. Nada se manda dos veces.",
        else: "‹Termínalo›: {resume}, después {again}. Nada se manda dos veces.",
      },
      sends: "‹Termínalo›: {resume}. Nada se manda dos veces.",
      push: {
        isStdin: "‹Termínalo›: la misma subida otra vez. Nada se manda dos veces.",
        else: "‹Termínalo›: {again}. Nada se manda dos veces.",
      },
    },
  },
  disk: {
    detail: {
      isMissing: {
        free: "{free} libres en {folder}, que se crea cuando hace falta",
        else: "espacio libre desconocido en {folder}, que se crea cuando hace falta",
      },
      free: "{free} libres en {folder}",
      else: "espacio libre desconocido en {folder}",
    },
    remedy: "‹Haz espacio›: lo que no se puede anotar en el registro no se manda.",
  },
  disk_unwritable: {
    detail: "no se puede escribir en {folder}: {said}.",
    remedy: "Dale esa carpeta al usuario que corre bpos, o ‹nombra› otra con BPOS_HOME.",
  },
  unchecked: { detail: "sin revisar: primero hay que arreglar {because}" },
});

/** The report of `bpos doctor`, in Spanish. */
export const doctor: typeof enDoctor = {
  title: "‹Revisión›",
  labels,
  findings,
  summary: ({ fails, warns, unchecked, exitCode }) => {
    const left = unchecked > 0 ? ` ${times(unchecked, "fila quedó", "filas quedaron")} sin revisar.` : "";
    const looks = times(warns, "advertencia", "advertencias");
    if (fails === 0) return warns === 0 ? `‹Todo está› bien.${left}` : `Funciona, con ${looks} (!).${left}`;
    const also = warns > 0 ? ` y ${looks} (!)` : "";
    return `${times(fails, "cosa", "cosas")} para arreglar (✗)${also}.${left} Código de salida ${exitCode}.`;
  },
};
