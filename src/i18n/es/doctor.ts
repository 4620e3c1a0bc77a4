import type { CertificateFault, CheckName, ErrorFacts, ErrorReason, Finding, Which } from "../../errors.ts";
import type { doctor as enDoctor, doctorHelp as enDoctorHelp } from "../en/doctor.ts";
import { capitalised, ended, quoted, quotedList, resumed, shellWord, sizeText, times } from "../phrases.ts";
import { type CheckWords, errorWords, type Words } from "../shapes.ts";
import { detailWords, proxyNext, untrustedNext } from "./call-errors.ts";
import { errors } from "./errors.ts";
import { profile as profileWords } from "./profiles.ts";

const steps = { dns: "Nombre", tcp: "Conexión", tls: "TLS", http: "Respuesta" };

/** How each row begins; the steps of an address stand below it. */
const labels: Readonly<Record<CheckName, string>> = {
  node: "Node.js",
  config: "Configuración",
  profile: "Perfil",
  key: "Clave",
  ca_file: "Archivo de CA",
  certificates: "Certificados",
  base_url: "Dirección de pedidos",
  base_url_dns: `  ${steps.dns}`,
  base_url_tcp: `  ${steps.tcp}`,
  base_url_tls: `  ${steps.tls}`,
  base_url_http: `  ${steps.http}`,
  campaigns_base_url: "Dirección de campañas",
  campaigns_base_url_dns: `  ${steps.dns}`,
  campaigns_base_url_tcp: `  ${steps.tcp}`,
  campaigns_base_url_tls: `  ${steps.tls}`,
  campaigns_base_url_http: `  ${steps.http}`,
  proxy: "Proxy",
  base_url_access: "Clave en pedidos",
  campaigns_base_url_access: "Clave en campañas",
  clock: "Reloj",
  journal: "Registro",
  unfinished: "Sin terminar",
  disk: "Disco",
};

/** A row with a name that needs no explaining. */
function rowName(name: CheckName): string {
  const isStep = labels[name].startsWith(" ");
  const above = name.startsWith("campaigns") ? labels.campaigns_base_url : labels.base_url;
  return isStep ? `${above}, ${labels[name].trim()}` : labels[name];
}

const use: Readonly<Record<Which, string>> = {
  base_url: "pedidos y catálogo",
  campaigns_base_url: "campañas",
};
const flagOf = (which: Which): string => (which === "base_url" ? "--base-url" : "--campaigns-url");
const size = (bytes: number): string => sizeText(bytes, ",");
const days = (n: number): string => times(n, "día", "días");
const minutes = (ms: number): string => times(Math.round(Math.abs(ms) / 60_000), "minuto", "minutos");
const dayOf = (day: string): string => day.split("-").reverse().join("/");
const from = (source: { kind: keyof typeof profileWords.sources; name: string } | null): string =>
  source === null ? "" : ` (${profileWords.sources[source.kind](source.name)})`;

const lookUpCodes: Readonly<Record<string, string>> = {
  ENOTFOUND: "nadie conoce ese nombre (ENOTFOUND)",
  EAI_AGAIN: "no contesta ningún servidor de nombres (EAI_AGAIN)",
};

const certificates: Readonly<Record<CertificateFault, (host: string) => string>> = {
  expired: () => "venció",
  not_yet: () => "todavía no es válido",
  other_host: (host) => `no es de ${host}`,
  unknown_ca: () => "esta máquina no conoce a quien lo emitió",
  other: () => "no es válido",
};

function certificateNext(fault: CertificateFault): string {
  if (fault === "expired" || fault === "not_yet")
    return "Fijate la hora de esta máquina. Si está bien, quienes manejan el servicio tienen que renovar el certificado.";
  return fault === "other_host" ? "Revisá el host de la dirección: el que contesta es otro." : untrustedNext;
}

const addressNext = (which: Which): string =>
  `Revisá la dirección: la de ${use[which]} te la da el servicio, con su ruta. Probá otra con \`bpos doctor ${flagOf(which)} URL\`.`;

const slowKeyNext =
  "Si pide una contraseña, dale tiempo: `bpos doctor --timeout 60s`. Si no, correlo a mano para ver qué espera.";

function failureWords<R extends ErrorReason>(reason: R, facts: ErrorFacts[R]): CheckWords {
  const { what, why, next } = errorWords(errors, reason, facts);
  // A check sends nothing anyway.
  const plain = why.replace(/ ?No se mandó nada\./, "");
  return { detail: reason === "usage_flag" ? plain : `${what} ${plain}`.trimEnd(), remedy: next };
}

const aboutMachine = {
  node: ({ version, bpos, oldest, isGood }) => ({
    detail: `${version}, con bpos ${bpos}${isGood ? "" : `: bpos necesita ${oldest} o más nuevo`}`,
    ...(!isGood && { remedy: `Instalá Node.js ${oldest} o más nuevo desde https://nodejs.org.` }),
  }),
  config_none: ({ file }) => ({
    detail: `todavía no hay: ${file} no existe. Con opciones y el entorno alcanza; \`bpos init\` lo crea.`,
  }),
  config_good: ({ file, profiles, isPrivate }) => ({
    detail: `${file}, ${times(profiles, "perfil", "perfiles")}${isPrivate ? ", solo para su dueño" : ""}`,
  }),
  profile_none: () => ({ detail: "ninguno: solo opciones y el entorno" }),
  profile_unneeded: () => ({ detail: "ninguno: el mock no lo necesita" }),
  profile_used: ({ name, source, isSandbox }) => ({
    detail: `${name}${from(source)}${isSandbox ? ", SANDBOX" : ""}`,
  }),
  profile_unread: ({ name, keys }) => ({
    detail: `${name}: ${quotedList(keys.map(({ key }) => key))} no se ${keys.length === 1 ? "lee" : "leen"}`,
    remedy: keys
      .map(({ key, similar }) =>
        similar === null
          ? `Sacá ${quoted(key)} del perfil.`
          : `Escribí ${similar} en lugar de ${quoted(key)}.`,
      )
      .join(" "),
  }),
  clock_good: ({ aheadMs }) => ({
    detail: `${(Math.abs(aheadMs) / 1000).toFixed(1).replace(".", ",")} s ${aheadMs < 0 ? "atrasado" : "adelantado"} respecto del servicio`,
  }),
  clock_off: ({ aheadMs }) => ({
    detail: `${minutes(aheadMs)} ${aheadMs > 0 ? "adelantado" : "atrasado"} respecto del servicio`,
    remedy: "Poné en hora esta máquina: la hora de un envío de catálogo decide qué precio vale.",
  }),
  clock_ahead: ({ aheadMs }) => ({
    detail: `${minutes(aheadMs)} adelantado respecto del servicio: así no se mandan productos`,
    remedy:
      "Poné en hora esta máquina. Si el que anda mal es el reloj del servicio, mandá el catálogo con --force.",
  }),
  clock_unknown: () => ({ detail: "el servicio no dice su hora: no hay con qué comparar" }),
  journal_none: ({ file }) => ({ detail: `todavía no hay: ${file} se crea cuando hace falta` }),
  journal_good: ({ file, bytes }) => ({ detail: `sano: ${file}, ${size(bytes)}` }),
  journal_in_memory: () => ({ detail: "en memoria: el mundo del mock termina con cada comando" }),
  journal_busy: ({ file }) => ({
    detail: `otro bpos está usando ${file} en este momento`,
    remedy: "Corré `bpos doctor` de nuevo cuando ese termine.",
  }),
  journal_damaged: ({ file, said }) => ({
    detail: `${file} está dañado, o no es un registro de bpos: ${ended(said)}`,
    remedy:
      "Pará todos los bpos y restaurá una copia de seguridad. Si no tenés, movelo con los archivos que están al lado: un registro vacío no sabe nada de lo que se entregó y se mandó antes.",
  }),
  journal_unreadable: ({ file, said }) => ({
    detail: `no se puede leer ${file}: ${ended(said)}`,
    remedy: `Fijate de quién es: \`ls -l ${shellWord(file)}\`. El usuario que corre bpos tiene que poder leerlo y escribirlo, y su carpeta también.`,
  }),
  journal_newer: ({ file }) => ({
    detail: `${file} lo escribió un bpos más nuevo`,
    remedy: "Instalá el bpos más nuevo en esta máquina.",
  }),
  work_none: () => ({ detail: "nada" }),
  work_under_way: ({ pids }) => ({
    detail: `en marcha en ${pids.length === 1 ? "el proceso" : "los procesos"} ${pids.join(", ")}`,
  }),
  work_open: ({ sends, push, profile, isMock }) => {
    const [first] = sends;
    const options = `${isMock ? " --mock" : ""}${profile === null ? "" : ` -p ${shellWord(profile)}`}`;
    const named = sends.slice(0, 3).map(({ ref, people }) => `${quoted(ref)} (${people})`);
    const more = sends.length > 3 ? ` y ${sends.length - 3} más` : "";
    const file = push?.file ?? null;
    const parts = [
      ...(first === undefined ? [] : [`campañas con gente que espera: ${named.join(", ")}${more}`]),
      ...(push === null ? [] : [`un envío de catálogo sin terminar${file === null ? "" : `: ${file}`}`]),
    ];
    const isOne = sends.length === 1;
    const commands = [
      ...(first === undefined ? [] : [resumed(isOne ? first.ref : undefined).replace(/`$/, `${options}\``)]),
      ...(push === null
        ? []
        : [
            file === null || file === "-"
              ? "el mismo envío otra vez"
              : `\`bpos catalog push ${shellWord(file)}${options}\``,
          ]),
    ];
    return {
      detail: parts.join("; "),
      remedy: `Terminalo: ${commands.join(", después ")}. Nada se manda dos veces.`,
    };
  },
  disk_good: ({ folder, free, exists }) => ({
    detail: `${free === null ? "espacio libre desconocido" : `${size(free)} libres`} para ${folder}${exists ? "" : ", que se crea cuando hace falta"}`,
  }),
  disk_low: ({ folder, free }) => ({
    detail: `solo ${size(free)} libres para ${folder}`,
    remedy: "Hacé lugar: sin espacio no se puede anotar nada, y lo que no se anota no se manda.",
  }),
  disk_unwritable: ({ folder, said }) => ({
    detail: `no se puede escribir en ${folder}: ${ended(said)}`,
    remedy: "Dale esa carpeta al usuario que corre bpos, o nombrá otra con BPOS_HOME.",
  }),
} satisfies Partial<Words<Finding, CheckWords>>;

const aboutService = {
  key_found: ({ shown, source }) => ({ detail: `${shown}${from(source)}` }),
  key_printed: ({ shown, profile }) => ({ detail: `${shown} (key_command del perfil ${profile})` }),
  key_of_mock: ({ shown, branch }) => ({ detail: `${shown} (la del mock, sucursal ${branch})` }),
  key_file_open: ({ shown, file }) => ({
    detail: `${shown} (opción --api-key-file); otros en esta máquina pueden leer ${file}`,
    remedy: `Corré: chmod 600 ${shellWord(file)}`,
  }),
  ca_file_good: ({ file }) => ({ detail: `también se confía en los certificados de ${file}` }),
  address_good: ({ url, source }) => ({ detail: `${url}${from(source)}` }),
  address_absent: ({ which, profile }) => ({
    detail: `sin poner: los comandos de ${use[which]} la necesitan`,
    remedy: `Si usás ${use[which]}: ${
      profile === null
        ? `pasá ${flagOf(which)} URL, o poné ${which === "base_url" ? "BPOS_BASE_URL" : "BPOS_CAMPAIGNS_URL"}.`
        : `\`bpos profile add ${shellWord(profile)} --update ${flagOf(which)} URL\`.`
    }`,
  }),
  same_server: () => ({ detail: "el mismo servidor que para pedidos y catálogo" }),
  dns_found: ({ host, address, service }) => {
    const found = address === null || address === host ? host : `${host} es ${address}`;
    return { detail: service === null ? found : `${found}; a ${service} lo busca el proxy` };
  },
  dns_failed: ({ host, code }) => ({
    detail: `no se encontró ${host}: ${lookUpCodes[code] ?? code}`,
    remedy:
      "Fijate que el host esté bien escrito, y que esta máquina tenga red y un servidor de nombres que conteste.",
  }),
  tcp_open: ({ to, via }) => ({ detail: via === null ? to : `${to}, por el proxy ${via}` }),
  tcp_failed: ({ to, detail, isLocal }) => ({
    detail: `${to} no acepta conexiones: ${detailWords(detail)}`,
    remedy: isLocal
      ? "Fijate que el programa esté andando ahí; un mock se arranca con `bpos mock`."
      : "Revisá host y puerto, y si hay un firewall en el medio; en una red con proxy, poné HTTPS_PROXY. Si todo eso está bien, el servicio está caído: probá más tarde.",
  }),
  proxy_failed: ({ detail, trouble }) => ({
    detail: capitalised(detailWords(detail)),
    remedy: proxyNext(trouble),
  }),
  tls_unneeded: () => ({ detail: "no hace falta: http, dentro de esta máquina o de su red" }),
  tls_absent: ({ host }) => ({
    detail: `no hay: la clave va a ${host} sin cifrar`,
    remedy: "Usá la dirección que empieza con https://.",
  }),
  tls_good: ({ days: left, until, issuer }) => ({
    detail: `el certificado vale por ${days(left)}, hasta el ${dayOf(until)} (${issuer})`,
  }),
  tls_ending: ({ days: left, until, issuer }) => ({
    detail: `el certificado vale solo por ${days(left)}, hasta el ${dayOf(until)} (${issuer})`,
    remedy: "Avisales a quienes manejan el servicio que lo renueven: después de ese día no anda nada.",
  }),
  tls_untrusted: ({ fault, said, host }) => ({
    detail: `certificado rechazado: ${certificates[fault](host)} (${said})`,
    remedy: certificateNext(fault),
  }),
  tls_failed: ({ detail }) => ({
    detail: `ahí no hay TLS: ${detailWords(detail)}`,
    remedy: "Revisá el puerto, y si la dirección no tendría que empezar con http://.",
  }),
  http_good: ({ status, ms }) => ({ detail: `el servicio contesta en ${ms} ms (${status})` }),
  http_not_service: ({ status, which, detail, quote }) => ({
    detail: `${status}, pero no es el servicio: ${detailWords(detail)}${quote === "" ? "" : ` ("${quote}")`}`,
    remedy: addressNext(which),
  }),
  http_moved: ({ status, which, to }) => ({
    detail: `${status}, una redirección a ${to ?? "ningún lado"}, que no se sigue`,
    remedy: addressNext(which),
  }),
  http_busy: ({ status }) => ({
    detail: `${status}: el servicio está y ahora no puede contestar`,
    remedy: "Probá de nuevo en unos minutos. Si sigue así, avisales a quienes manejan el servicio.",
  }),
  http_failed: ({ detail }) => ({
    detail: `sin respuesta: ${ended(detailWords(detail))}`,
    remedy:
      "Probá de nuevo con más tiempo: `bpos doctor --timeout 30s`. Si sigue así, avisales a quienes manejan el servicio.",
  }),
  access_good: ({ which, waiting }) => ({
    detail:
      waiting === null
        ? "aceptada"
        : `aceptada${which === "base_url" ? `; ${times(waiting, "pedido espera", "pedidos esperan")}` : ""}`,
  }),
  access_denied: ({ status, said, shown, profile }) => ({
    detail: `${status}: el servicio no acepta ${shown}${said === "" ? "" : ` ("${said}")`}`,
    remedy: `Pediles la clave de la sucursal a quienes manejan el servicio; para poner una nueva: ${
      profile === null
        ? "BPOS_API_KEY."
        : `\`bpos profile add ${shellWord(profile)} --update --api-key-file ARCHIVO\`.`
    }`,
  }),
  proxy_none: () => ({ detail: "ninguno" }),
  proxy_unneeded: () => ({ detail: "ninguno para estas direcciones: están en NO_PROXY, o en esta máquina" }),
  proxy_used: ({ used, direct }) => ({
    detail: [
      ...used.map(({ which, shown, variable }) => `${shown} para ${use[which]} (${variable})`),
      ...direct.map((which) => `ninguno para ${use[which]}`),
    ].join("; "),
  }),
} satisfies Partial<Words<Finding, CheckWords>>;

const findings: Words<Finding, CheckWords> = {
  ...aboutMachine,
  ...aboutService,
  failure: ({ failure }) => {
    const { reason, facts } = failure;
    const words = failureWords(reason, facts);
    const isSlow = failure.reason === "key_command_failed" && failure.facts.problem.kind === "timeout";
    return isSlow ? { ...words, remedy: slowKeyNext } : words;
  },
  unchecked: ({ because }) => ({ detail: `sin revisar: primero hay que arreglar "${rowName(because)}"` }),
};

/** The report of `bpos doctor`, in Spanish. */
export const doctor: typeof enDoctor = {
  title: "Chequeo",
  labels,
  findings,
  summary: ({ fails, warns, unchecked, exitCode }) => {
    const left = unchecked > 0 ? ` ${times(unchecked, "fila quedó", "filas quedaron")} sin revisar.` : "";
    const looks = times(warns, "cosa para mirar", "cosas para mirar");
    if (fails === 0) return warns === 0 ? `Está todo bien.${left}` : `Anda, con ${looks} (!).${left}`;
    const also = warns > 0 ? ` y ${looks} (!)` : "";
    return `${times(fails, "cosa", "cosas")} para arreglar (✗)${also}.${left} Código de salida ${exitCode}.`;
  },
};

/** The words of `bpos doctor --help`, in Spanish. */
export const doctorHelp: typeof enDoctorHelp = {
  description: "Revisa configuración, clave, red, reloj, registro y disco, y dice cómo arreglar cada falla",
  examples: {
    "bpos doctor": "qué anda, qué no, y qué hacer",
    "bpos doctor -p centro": "lo mismo para un perfil",
    "bpos doctor --json": "para un script; el código de salida es el de la primera fila que falla",
    "bpos doctor -q || mail -s 'bpos' me@example.com": "para cron: callado cuando está todo bien",
  },
};
