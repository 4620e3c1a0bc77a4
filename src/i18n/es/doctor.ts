import type { CheckName, ErrorFacts, ErrorReason, Finding, Which } from "../../errors.ts";
import type { doctor as enDoctor } from "../en/doctor.ts";
import { ended, quoted, quotedList, resumed, shellWord, sizeText, times } from "../phrases.ts";
import { type CheckWords, errorWords, type Words } from "../shapes.ts";
import { detailWords, untrustedNext } from "./call-errors.ts";
import { errors } from "./errors.ts";
import { dates } from "./general.ts";
import { profile as profileWords } from "./profiles.ts";

/** How each row begins; the steps of an address stand below it. */
const labels: Readonly<Record<CheckName, string>> = {
  node: "Node.js",
  config: "Configuración",
  profile: "Perfil",
  key: "Clave",
  ca_file: "Archivo de CA",
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

const use: Readonly<Record<Which, string>> = {
  base_url: "pedidos y catálogo",
  campaigns_base_url: "campañas",
};
const size = (bytes: number): string => sizeText(bytes, ",");
const span = (ms: number): string =>
  ms < 120_000
    ? `${Math.round(ms / 1000)} s`
    : ms < 7_200_000
      ? `${Math.round(ms / 60_000)} min`
      : `${Math.round(ms / 3_600_000)} h`;
const from = (source: { kind: keyof typeof profileWords.sources; name: string } | null): string =>
  source === null ? "" : ` (${profileWords.sources[source.kind](source.name)})`;

const slowKeyNext =
  "Si pide una contraseña, dale tiempo: `bpos doctor --timeout 60s`. Si no, correlo a mano para ver qué espera.";

function failureWords<R extends ErrorReason>(reason: R, facts: ErrorFacts[R]): CheckWords {
  const { what, why, next } = errorWords(errors, reason, facts);
  // A check sends nothing anyway.
  const plain = why.replace(/ ?No se mandó nada\./, "");
  return { detail: reason === "usage_flag" ? plain : `${what} ${plain}`.trimEnd(), remedy: next };
}

type Work = Extract<Finding, { kind: "work" }>;

function workWords({ processes, sends, push, profile, isMock }: Work): CheckWords {
  if (processes.length > 0) {
    const named = processes.map(({ pid, host }) => (host === undefined ? `${pid}` : `${pid} en ${host}`));
    return {
      detail: `en marcha en ${named.length === 1 ? "el proceso" : "los procesos"} ${named.join(", ")}`,
    };
  }
  if (sends.length === 0 && push === null) return { detail: "nada" };
  const options = `${isMock ? " --mock" : ""}${profile === null ? "" : ` -p ${shellWord(profile)}`}`;
  const [first, second] = sends;
  const named = sends.map(({ ref, people }) => `${quoted(ref)} (${people})`).join(", ");
  const resume = resumed(second === undefined ? first?.ref : undefined).replace(/`$/, `${options}\``);
  const file = push?.file ?? "-";
  const again =
    file === "-" ? "la misma subida otra vez" : `\`bpos catalog push ${shellWord(file)}${options}\``;
  const parts = [
    ...(first === undefined ? [] : [{ what: `campañas sin terminar: ${named}`, step: resume }]),
    ...(push === null ? [] : [{ what: `una subida de catálogo sin terminar: ${file}`, step: again }]),
  ];
  return {
    detail: parts.map(({ what }) => what).join("; "),
    remedy: `Terminalo: ${parts.map(({ step }) => step).join(", después ")}. Nada se manda dos veces.`,
  };
}

const findings: Words<Finding, CheckWords> = {
  node: ({ version, bpos, oldest }) => ({
    detail: `${version}, con bpos ${bpos}`,
    remedy: `Instalá Node.js ${oldest} o más nuevo desde https://nodejs.org.`,
  }),
  config: ({ file, profiles }) => ({
    detail:
      profiles === null
        ? `todavía no hay: ${file} no existe. \`bpos init\` lo crea.`
        : `${file}, ${times(profiles, "perfil", "perfiles")}`,
  }),
  no_profile: () => ({ detail: "ninguno" }),
  profile: ({ name, source, isSandbox, unknown }) => ({
    detail: `${name}${from(source)}${isSandbox ? ", SANDBOX" : ""}${
      unknown.length === 0 ? "" : `; no existe: ${quotedList(unknown.map(({ key }) => key))}`
    }`,
    remedy: unknown
      .map(({ key, similar }) =>
        similar === null
          ? `Sacá ${quoted(key)} del perfil.`
          : `Escribí ${similar} en lugar de ${quoted(key)}.`,
      )
      .join(" "),
  }),
  key: ({ shown, source, file }) => ({
    detail: `${shown}${from(source)}${file === undefined ? "" : `; otros en esta máquina pueden leer ${file}`}`,
    remedy: `Corré: chmod 600 ${shellWord(file ?? "")}`,
  }),
  ca_file: ({ file }) => ({ detail: `también se confía en los certificados de ${file}` }),
  address: ({ url, source }) => ({ detail: `${url}${from(source)}` }),
  same_server: () => ({ detail: "el mismo servidor que para pedidos y catálogo" }),
  dns: ({ host, address }) => ({
    detail: address === null || address === host ? host : `${host} es ${address}`,
  }),
  tcp: ({ to, via }) => ({ detail: via === null ? to : `${to}, por el proxy ${via}` }),
  unreached: ({ to, detail }) => ({
    detail: `no se pudo llegar a ${to}: ${detailWords(detail)}`,
    remedy:
      "Revisá la dirección y el puerto, la red de esta máquina y su firewall; en una red con proxy, poné HTTPS_PROXY. Un mock se arranca con `bpos mock`. Si todo eso está bien, el servicio está caído: probá más tarde.",
  }),
  tls_none: ({ host }) => ({
    detail: `no hay: la clave va a ${host} sin cifrar`,
    remedy: "Usá la dirección que empieza con https://.",
  }),
  tls: ({ days, until, issuer }) => ({
    detail: `el certificado vale por ${times(days, "día", "días")}, hasta el ${dates.date(until)} (${issuer})`,
    remedy: "Pedile a quien administra el servicio que lo renueve.",
  }),
  tls_untrusted: ({ detail }) => ({
    detail: `certificado rechazado: ${detailWords(detail)}`,
    remedy: `Si venció, tiene que renovarlo quien administra el servicio. ${untrustedNext}`,
  }),
  tls_failed: ({ detail }) => ({
    detail: `ahí no hay TLS: ${detailWords(detail)}`,
    remedy: "Revisá el puerto, y si la dirección no tendría que empezar con http://.",
  }),
  http: ({ status, ms }) => ({ detail: `el servicio contesta en ${ms} ms (${status})` }),
  http_not_service: ({ status, which, detail, quote }) => ({
    detail: `${status}, pero no es el servicio: ${detailWords(detail)}${quote === "" ? "" : ` ("${quote}")`}`,
    remedy: `Revisá la dirección de ${use[which]}, con su ruta. Probá otra con \`bpos doctor ${
      which === "base_url" ? "--base-url" : "--campaigns-url"
    } URL\`.`,
  }),
  http_failed: ({ detail }) => ({
    detail: `el servicio no puede contestar ahora: ${ended(detailWords(detail))}`,
    remedy:
      "Probá de nuevo en unos minutos, con más tiempo: `bpos doctor --timeout 30s`. Si sigue igual, avisale a quien administra el servicio.",
  }),
  access: ({ waiting }) => ({
    detail: waiting === null ? "aceptada" : `aceptada; ${times(waiting, "pedido espera", "pedidos esperan")}`,
  }),
  proxy: ({ used }) => ({
    detail:
      used.map(({ which, shown, variable }) => `${shown} para ${use[which]} (${variable})`).join("; ") ||
      "ninguno para estas direcciones",
  }),
  clock: ({ aheadMs, isMock }) => ({
    detail:
      aheadMs === undefined
        ? "el servicio no dice su hora"
        : `${span(Math.abs(aheadMs))} ${aheadMs < 0 ? "atrasado" : "adelantado"} respecto del ${isMock ? "mock, que es el que da la edad de los pedidos" : "servicio"}`,
    remedy:
      "Poné en hora esta máquina: la hora de una subida decide qué precio vale, y con una hora de adelanto no se sube nada. Si el que anda mal es el reloj del servicio, subí con --force.",
  }),
  printer: ({ url }) => ({ detail: `${url} acepta conexiones` }),
  journal: ({ file, bytes }) => ({
    detail:
      bytes === null
        ? `todavía no hay: ${file} se crea cuando hace falta`
        : `en buen estado: ${file}, ${size(bytes)}`,
  }),
  database: ({ name, version, ms, tls }) => ({
    detail: `PostgreSQL ${version} en ${name} responde en ${ms} ms, ${tls ? "con TLS" : "sin TLS"}`,
    remedy: "Usá sslmode=verify-full en la dirección: el registro tiene teléfonos de clientes.",
  }),
  database_rights: ({ user, exists }) => ({
    detail: exists ? `${user} lee y escribe el esquema bpos` : `${user} puede crear el esquema bpos`,
  }),
  schema: ({ version, left }) => {
    const there =
      version === null ? "todavía no hay: se crea cuando hace falta" : `versión ${version}, al día`;
    return {
      detail: left === null ? there : `${there}; no se copió ahí ${left}`,
      remedy:
        "Copialo mientras la base esté vacía: `bpos journal copy`. Si no, terminá lo que quedó pendiente en él, sin BPOS_JOURNAL ni journal, y después mové el archivo a otro lado: se pierde lo que sabe de a quién se le mandó.",
    };
  },
  journal_busy: ({ file }) => ({
    detail: `otro bpos está usando ${file} en este momento`,
    remedy: "Corré `bpos doctor` de nuevo cuando ese termine.",
  }),
  work: workWords,
  disk: ({ folder, free, exists }) => ({
    detail: `${free === null ? "espacio libre desconocido" : `${size(free)} libres`} para ${folder}${exists ? "" : ", que se crea cuando hace falta"}`,
    remedy: "Hacé lugar: lo que no se puede anotar en el registro no se manda.",
  }),
  disk_unwritable: ({ folder, said }) => ({
    detail: `no se puede escribir en ${folder}: ${ended(said)}`,
    remedy: "Dale esa carpeta al usuario que corre bpos, o nombrá otra con BPOS_HOME.",
  }),
  failure: ({ failure }) => {
    const words = failureWords(failure.reason, failure.facts);
    const isSlow = failure.reason === "key_command_failed" && failure.facts.problem.kind === "timeout";
    return isSlow ? { ...words, remedy: slowKeyNext } : words;
  },
  unchecked: ({ because }) => ({ detail: `sin revisar: primero hay que arreglar ${because}` }),
};

/** The report of `bpos doctor`, in Spanish. */
export const doctor: typeof enDoctor = {
  title: "Chequeo",
  labels,
  findings,
  summary: ({ fails, warns, unchecked, exitCode }) => {
    const left = unchecked > 0 ? ` ${times(unchecked, "fila quedó", "filas quedaron")} sin revisar.` : "";
    const looks = times(warns, "advertencia", "advertencias");
    if (fails === 0) return warns === 0 ? `Está todo bien.${left}` : `Funciona, con ${looks} (!).${left}`;
    const also = warns > 0 ? ` y ${looks} (!)` : "";
    return `${times(fails, "cosa", "cosas")} para arreglar (✗)${also}.${left} Código de salida ${exitCode}.`;
  },
};
