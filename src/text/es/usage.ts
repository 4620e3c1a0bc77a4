import type { UsageProblem, ValueProblem } from "../../errors/usage-problem.ts";
import type { UsageWords } from "../error-words.ts";
import { quoted } from "../quoted.ts";
import { type Words, wordsFor } from "../words-for.ts";
import { detailWords } from "./detail.ts";
import { placeholder, spoken } from "./placeholders.ts";
import { profileProblemWords } from "./profile.ts";
import { rowProblemWords } from "./rows.ts";

const values: Words<ValueProblem, string> = {
  empty: () => "no puede quedar vacío",
  invalid: ({ said }) => `no sirve (${said})`,
  not_address: ({ text }) => `${quoted(text)} no es una dirección`,
  not_choice: ({ choices }) =>
    `elegí uno de estos: ${choices.map((choice) => (/\w/.test(choice) ? choice : quoted(choice))).join(", ")}`,
  not_clock: () => "va una fecha y hora con segundos y huso, como 2026-01-01T12:00:00-03:00",
  not_consumer: () => "van de 1 a 64 letras sin acento, números, puntos, - o _",
  not_duration: ({ text }) => `${quoted(text)} no es una duración como 90s, 2m o 1h30m`,
  not_forward_address: () => "va una dirección http:// o https:// sin usuario ni contraseña",
  not_instant: ({ text }) =>
    `${quoted(text)} no es una hora como 2026-01-31T08:00:00-03:00, 2h, today (hoy) o yesterday (ayer)`,
  not_instant_to_come: ({ text }) =>
    `${quoted(text)} no es una hora como 2026-01-01T15:00, 15:00 o 2h (desde ahora)`,
  not_number: () => "va un número, como 60",
  not_pair: ({ text }) => `${quoted(text)} no es un par como codigo=SKU`,
  not_phone: ({ problem }) => rowProblemWords(problem),
  not_share: ({ text }) => `${quoted(text)} no es un porcentaje como 20% ni un número entero`,
  not_state: ({ text, similar, states }) =>
    `${quoted(text)} no es un estado.${meant(similar)} Los estados son ${states.join(", ")}, o all para todos`,
  not_whole: ({ text, min, max }) =>
    `${quoted(text)} no es un número entero ${max === null ? `desde ${min}` : `de ${min} a ${max}`}`,
  status_missing: () => "poné un estado, por ejemplo failed",
  zero: () => "tiene que durar algo más que nada",
};

const meant = (similar: string | null): string =>
  similar === null ? "" : ` ¿Quisiste decir \`${similar}\`?`;
const flagsOf = (command: string): string =>
  `\`${command} --help\` muestra qué lleva, sus opciones y ejemplos.`;
const subcommandsOf = (command: string): string => `\`${command} --help\` los muestra.`;
const anotherName = "Ponele otro nombre.";
const endsInCsv = "Ponele un nombre que termine en .csv.";
const addressProblems = {
  not_http: "no es una dirección http:// o https://",
  credentials: "una dirección no puede llevar usuario ni contraseña",
  query: "una dirección no puede llevar parámetros (?…) ni un fragmento (#…)",
};

const problems: Words<UsageProblem, UsageWords> = {
  argument_missing: ({ argument, command }) => ({
    why: `A \`${command}\` le falta decir <${placeholder(argument)}>.`,
    next: flagsOf(command),
  }),
  arguments_too_many: ({ expected, found, command }) => ({
    why: `\`${command}\` ${expected === 0 ? "no lleva argumentos" : expected === 1 ? "lleva un solo argumento" : `lleva ${expected} argumentos`}, y acá hay ${found}.`,
    next: `Poné entre comillas los textos con espacios. ${flagsOf(command)}`,
  }),
  command_unknown: ({ name, similar, command }) => ({
    why: `No existe el comando \`${command} ${name}\`.${meant(similar)}`,
    next: subcommandsOf(command),
  }),
  flag_unknown: ({ flag, similar, command }) => ({
    why: `\`${command}\` no tiene la opción ${flag}.${meant(similar)}`,
    next: flagsOf(command),
  }),
  line_refused: ({ said, command }) => ({ why: said, next: flagsOf(command) }),
  subcommand_missing: ({ command }) => ({
    why: `\`${command}\` agrupa varios comandos, y falta decir cuál.`,
    next: subcommandsOf(command),
  }),
  value_missing: ({ flag, command }) => ({
    why: `\`${spoken(flag)}\` lleva un valor, y no hay ninguno.`,
    next: `Escribilo después de la opción. ${flagsOf(command)}`,
  }),
  file_holds_other: ({ flag, file }) => ({
    why: `${flag} ${file} ya existe y tiene otra cosa, que se perdería. No se mandó nada.`,
    next: "Ponele otro nombre, o mové ese archivo a otro lado.",
  }),
  file_is_input: ({ flag }) => ({
    why: `${flag} nombra el mismo archivo que se lee, y lo pisaría.`,
    next: anotherName,
  }),
  file_no_stdout: ({ flag, ending }) => ({
    why: `${flag} escribe un archivo, no en la salida estándar.`,
    next: `Ponele un nombre que termine en ${ending}.`,
  }),
  file_not_csv: ({ flag }) => ({
    why: `${flag} escribe CSV, diga lo que diga el nombre.`,
    next: endsInCsv,
  }),
  file_unwritable: ({ flag, file, detail }) => ({
    why: `${flag} ${file} no se puede escribir: ${detailWords(detail)}. No se mandó nada.`,
    next: "Arreglalo, o poné un archivo en otra carpeta.",
  }),
  address_unusable: ({ name, shown, because }) => ({
    why: `${name} ${JSON.stringify(shown)}: ${addressProblems[because]}.`,
    next: "Poné la dirección tal como te la dieron los del servicio, por ejemplo https://pos.example.com.",
  }),
  all_profiles_key_file: () => ({
    why: "--all-profiles usa la clave de cada perfil, y --api-key-file da una sola para todos.",
    next: "Sacá --api-key-file.",
  }),
  all_profiles_none: ({ file }) => ({
    why: `--all-profiles: en ${file} no hay ningún perfil.`,
    next: "Armá uno por sucursal con `bpos init`, o sacá --all-profiles.",
  }),
  argument_value: ({ argument, command, problem }) => ({
    why: `<${placeholder(argument)}>: ${wordsFor(values, problem)}.`,
    next: `Corregilo. ${flagsOf(command)}`,
  }),
  campaign_id_unusable: ({ id }) => ({
    why: `${JSON.stringify(id)} no puede ser un campaign_id.`,
    next: "Copiá el que mostró el envío; también está en `bpos campaign list`.",
  }),
  campaign_unnamed: () => ({
    why: "Falta decir qué campañas.",
    next: "Poné el id de una campaña, o la referencia de un envío con --ref REF; `bpos campaign list` muestra los dos.",
  }),
  code_empty: () => ({
    why: "Uno de los códigos está vacío. No se mandó nada.",
    next: "Sacalo; detrás de un código vacío suele haber una variable de un script sin definir.",
  }),
  codes_and_file: () => ({
    why: "Van los códigos o --file, no los dos. No se mandó nada.",
    next: "Sacá los códigos para dar de baja los productos del archivo, o --file para dar de baja solo los de los códigos.",
  }),
  codes_missing: () => ({
    why: "No se nombró ningún producto.",
    next: "Escribí los códigos al final del comando, o pasá un archivo que los tenga con --file ARCHIVO.",
  }),
  control_character: ({ code }) => ({
    why: `El producto ${JSON.stringify(code)} tiene un carácter de control, que en un CSV no se puede escribir. No se escribió nada.`,
    next: "Con --fixed, poné un archivo que termine en .ndjson.",
  }),
  exclusive: ({ flags: [one, other] }) => ({
    why: `${one} y ${other} no van juntas.`,
    next: "Sacá una de las dos.",
  }),
  exec_missing: () => ({
    why: "--exec-timeout y --exec-changes dicen cómo trabaja --exec, y --exec no está.",
    next: "Poné un comando con --exec, o sacalas.",
  }),
  explained_nothing: ({ text, similar }) => ({
    why: `${quoted(text)} no es el motivo de ningún error.${meant(similar)}`,
    next: "`bpos help errors` los muestra todos.",
  }),
  fault_unsaid: () => ({
    why: "`bpos mock fault` lleva una regla, o --list, o --clear, y una sola de las tres.",
    next: "Escribí una regla como `bpos mock fault 'POST /campaigns status=502 times=2'`.",
  }),
  field_unknown: ({ name, similar, known }) => ({
    why: `--fields: no existe el campo ${quoted(name)}.${meant(similar)}`,
    next: `Los campos son ${known.join(", ")}; con un punto se entra en uno que tiene otros adentro.`,
  }),
  fields_refused: () => ({
    why: "--fields elige los campos de una lista, y este comando no muestra ninguna.",
    next: "Sacá --fields; lo llevan orders list, catalog history, campaign list, campaign status, profile list y mock log.",
  }),
  folder_shared: ({ profiles }) => ({
    why: `Los perfiles ${profiles.map(quoted).join(" y ")} escribirían en la misma carpeta de --out-dir. No se leyó nada.`,
    next: "Cambiale el nombre a uno con `bpos profile rename`.",
  }),
  format_unwritten: ({ given, formats }) => ({
    why: `${given}: este comando escribe ${formats.join(", ")}.`,
    next: `Elegí uno de esos con -o, por ejemplo -o ${formats[0] ?? "json"}.`,
  }),
  header_field_taken: ({ name }) => ({
    why: `${JSON.stringify(name)} no puede ser el campo del encabezado: está vacío, o es el nombre de otro campo.`,
    next: "Poné en --header-field el nombre que te dieron los del servicio, o sacalo.",
  }),
  host_unusable: ({ host, port, detail }) => ({
    why: `No se puede escuchar en ${host}${port === undefined ? "" : ` en el puerto ${port}`}: ${detailWords(detail)}.`,
    next: "Poné en --host una dirección de esta máquina, 127.0.0.1 o 0.0.0.0, o sacalo.",
  }),
  interval_impolite: () => ({
    why: "--interval: con menos de 10s el servicio puede dejarte afuera.",
    next: "Poné --force si lo querés igual, o ensayá con --mock.",
  }),
  map_missing: () => ({
    why: "--save-map guarda lo que dice --map, y --map no está. No se mandó nada.",
    next: "Decí qué columna tiene cada campo, por ejemplo --map codigo=SKU, o sacá --save-map.",
  }),
  map_without_profile: () => ({
    why: "--save-map guarda las columnas en un perfil, y no se está usando ninguno.",
    next: "Elegí uno con -p NOMBRE, o sacá --save-map.",
  }),
  mock_and_address: () => ({
    why: "--mock trae su propia dirección.",
    next: "Sacá --base-url y --campaigns-url para ensayar, o --mock para llamar a esa dirección.",
  }),
  mock_declined: ({ said }) => ({
    why: `El mock no acepta eso: ${said.replace(/\.$/, "")}.`,
    next: "Corregilo; con --help al final del comando ves ejemplos.",
  }),
  mock_refused: ({ said }) => ({
    why: `Así el mock no arranca: ${said}.`,
    next: "`bpos mock --help` muestra sus opciones y ejemplos.",
  }),
  needs_flag: ({ flag, other }) => ({
    why: `${flag} es para ${other}, que no está.`,
    next: `Agregá ${other}, o sacá ${flag}.`,
  }),
  order_number: ({ text }) => ({
    why: `${quoted(text)} no es el número de un pedido.`,
    next: "Poné solo los dígitos; `bpos orders list` muestra los números.",
  }),
  page_and_more: () => ({
    why: "--page muestra una página, y --all y --limit recorren muchas.",
    next: "Sacá --page, o sacá --all y --limit.",
  }),
  profile: ({ problem }) => profileProblemWords(problem),
  scenario_broken: ({ file, said }) => ({
    why: `--scenario ${file}: ${said}.`,
    next: "Corregí el archivo, o elegí un escenario ya hecho; `bpos mock --help` muestra sus nombres.",
  }),
  scenario_unknown: ({ text, names }) => ({
    why: `--scenario: ${quoted(text)} no es un archivo ni uno de estos: ${names.join(", ")}.`,
    next: "Elegí uno de esos, o poné un archivo tuyo con su carpeta, como ./mi-mundo.json.",
  }),
  stdin_twice: ({ of }) =>
    of === "files"
      ? { why: "Por la entrada estándar entra un solo archivo.", next: "Los demás, ponelos por su nombre." }
      : {
          why: "Por la entrada estándar entra el archivo o la clave, no los dos.",
          next: "Poné el archivo por su nombre, o la clave en BPOS_API_KEY.",
        },
  template_choice: () => ({
    why: "Un envío es de una sola plantilla, y acá no hay ninguna o hay dos.",
    next: "Nombrala con --template NOMBRE o con --template-id ID, uno de los dos.",
  }),
  time_over: ({ flag, text }) => ({
    why: `${flag} ${text} ya pasó. No se mandó nada.`,
    next: "Poné una hora más tarde, o sacalo.",
  }),
  value: ({ flag, problem }) => ({
    why: `${flag}: ${wordsFor(values, problem)}.`,
    next: `Corregilo, o sacá ${flag}; con --help al final del comando ves qué lleva.`,
  }),
};

/** Why a command cannot be run as it was typed, and what to do next where the general advice does not do. */
export function usageWords(problem: UsageProblem): UsageWords {
  return wordsFor(problems, problem);
}
