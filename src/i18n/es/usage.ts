import type { UsageProblem, ValueProblem } from "../../errors/problems.ts";
import { capitalised, ended, quoted } from "../phrases.ts";
import { type ErrorWords, type Words, wordsFor } from "../shapes.ts";
import { detailWords } from "./call-errors.ts";
import { rowProblemWords } from "./files.ts";
import { profileProblemWords } from "./profiles.ts";
import { placeholder, spoken } from "./topics.ts";

/** What a value must be. */
const rules: Words<ValueProblem, string> = {
  empty: () => "No puede quedar vacío.",
  not_address: () => "Va una dirección como https://pos.example.com.",
  not_choice: ({ choices }) =>
    `Elegí uno de estos: ${choices.map((choice) => (/\w/.test(choice) ? choice : quoted(choice))).join(", ")}.`,
  not_clock: () => "Va una fecha y hora con segundos y huso, como 2026-01-01T12:00:00-03:00.",
  not_consumer: () => "Van de 1 a 64 letras sin acento, números, puntos, - o _.",
  not_duration: () => "Va una duración como 90s, 2m o 1h30m.",
  not_forward_address: () => "Va una dirección http:// o https:// sin usuario ni contraseña.",
  not_instant: () =>
    "Va una fecha u hora como 31/1/2026, 2026-01-31T08:00:00-03:00, 2h (hace dos horas), hoy o ayer.",
  not_instant_to_come: () => "Va una hora como 2026-01-01T15:00, 31/1/2026, 15:00 o 2h (desde ahora).",
  not_language: () => "Va un idioma y un país, como es_AR.",
  not_number: () => "Va un número, como 60.",
  not_pair: ({ text }) => `${quoted(text)} no es un par como codigo=SKU.`,
  not_phone: ({ problem }) => ended(capitalised(rowProblemWords(problem))),
  not_share: () => "Va un porcentaje como 20%, o un número entero.",
  not_state: ({ states }) => `Los estados son ${states.join(", ")}; con all van todos.`,
  not_whole: ({ min, max }) => `Va un número entero ${max === null ? `desde ${min}` : `de ${min} a ${max}`}.`,
  status_missing: () => "Va uno o más estados, por ejemplo failed.",
  zero: () => "Tiene que durar más de 0 s.",
};

/** `name` cannot have the value that was typed; what that was is left out where it must not be repeated. */
function refused(name: string, text: string | undefined, problem: ValueProblem): string {
  const typed = "text" in problem ? problem.text : text;
  const similar = "similar" in problem ? problem.similar : null;
  return `${name} no acepta ${typed === undefined ? "ese valor" : quoted(typed)}.${meant(similar)}`;
}

const meant = (similar: string | null): string =>
  similar === null ? "" : ` ¿Quisiste decir ${similar.startsWith("-") ? similar : `\`${similar}\``}?`;
const flagsOf = (command: string): string =>
  `\`${command} --help\` muestra qué lleva, sus opciones y ejemplos.`;
const subcommandsOf = (command: string): string => `\`${command} --help\` los explica.`;
/** `why` is left out where the headline says it all. */
const problems: Words<UsageProblem, Omit<ErrorWords, "why"> & { why?: string }> = {
  argument_missing: ({ argument, command }) => ({
    what: `Falta <${placeholder(argument)}>.`,
    next: flagsOf(command),
  }),
  arguments_too_many: ({ expected, found, command }) => ({
    what: `Sobran argumentos: hay ${found} en lugar de ${expected}.`,
    next: `Poné entre comillas los textos con espacios. ${flagsOf(command)}`,
  }),
  command_unknown: ({ name, similar, command, known }) => ({
    what: `No existe el comando \`${command} ${name}\`.${meant(similar)}`,
    why: `Los comandos de \`${command}\` son ${known.map((each) => `\`${each}\``).join(", ")}.`,
    next: subcommandsOf(command),
  }),
  flag_unknown: ({ flag, similar, command }) => ({
    what: `No existe la opción ${flag}.${meant(similar)}`,
    next: flagsOf(command),
  }),
  subcommand_missing: ({ command }) => ({
    what: `Falta un comando después de \`${command}\`.`,
    next: subcommandsOf(command),
  }),
  value_missing: ({ flag, command }) => ({
    what: `A \`${spoken(flag)}\` le falta el valor.`,
    next: `Escribilo después de la opción. ${flagsOf(command)}`,
  }),
  file_exists: ({ flag, file }) => ({
    what: `${flag} ${file} ya existe.`,
    why: "Se perdería lo que tiene.",
    next: "Ponele otro nombre, o reemplazalo con --force.",
  }),
  file_is_input: ({ flag }) => ({
    what: `${flag} nombra el mismo archivo que se lee.`,
    next: "Ponele otro nombre.",
  }),
  file_not_csv: ({ flag }) => ({
    what: `${flag} no nombra un archivo .csv.`,
    next: "Ponele un nombre que termine en .csv.",
  }),
  file_unwritable: ({ flag, file, detail }) => ({
    what: `${flag} ${file}: ${ended(detailWords(detail))}`,
    next: "Corregilo, o poné un archivo en otra carpeta.",
  }),
  address_unusable: ({ name, shown }) => ({
    what: `La dirección ${JSON.stringify(shown)} de ${name} no sirve.`,
    why: "La dirección tiene que empezar con http:// o https:// y no puede llevar usuario, contraseña, parámetros (?…) ni un fragmento (#…).",
    next: "Poné la dirección tal como te la dieron los del servicio, por ejemplo https://pos.example.com.",
  }),
  all_profiles_none: ({ file }) => ({
    what: `--all-profiles no encontró ningún perfil en ${file}.`,
    next: "Armá uno por sucursal con `bpos init`, o sacá --all-profiles.",
  }),
  argument_value: ({ argument, command, text, problem }) => ({
    what: refused(`<${placeholder(argument)}>`, text, problem),
    why: wordsFor(rules, problem),
    next: `Corregilo. ${flagsOf(command)}`,
  }),
  campaign_id_unusable: ({ id }) => ({
    what: `${JSON.stringify(id)} no es un campaign_id.`,
    next: "Copiá el que mostró el envío; también está en `bpos campaign list`.",
  }),
  campaign_unnamed: () => ({
    what: "No se nombró ninguna campaña.",
    next: "Poné el id, o la referencia con --ref REF; `bpos campaign list` muestra los dos.",
  }),
  codes_missing: () => ({
    what: "No se nombró ningún producto.",
    next: "Escribí los códigos al final del comando, o pasá un archivo que los tenga con --file ARCHIVO.",
  }),
  control_character: ({ code }) => ({
    what: `El producto ${JSON.stringify(code)} tiene un carácter de control.`,
    next: "Con --fixed, poné un archivo que termine en .ndjson.",
  }),
  date_ambiguous: ({ flag, text, dayFirst, monthFirst }) => ({
    what: `${flag} ${text} puede ser ${dayFirst} o ${monthFirst}.`,
    why: "bpos lee primero el día, y sin una terminal nadie lo vería. No se mandó nada.",
    next: `Poné ${flag} ${dayFirst}, o ${monthFirst} si es ese día.`,
  }),
  exclusive: ({ flags: [one, other] }) => ({
    what: `${spoken(one)} y ${other} no van juntos.`,
    next: "Sacá uno de los dos.",
  }),
  explained_nothing: ({ text, similar }) => ({
    what: `No existe el motivo de error ${quoted(text)}.${meant(similar)}`,
    next: "`bpos help errors` los muestra todos.",
  }),
  fault_unsaid: () => ({
    what: "Falta la regla, o se pidió más de una cosa.",
    next: "Escribí una regla como `bpos mock fault 'POST /campaigns status=502 times=2'`.",
  }),
  field_unknown: ({ name, similar, known }) => ({
    what: `No existe el campo ${quoted(name)} de --fields.${meant(similar)}`,
    why: `Los campos son ${known.join(", ")}.`,
    next: "Poné campos de esa lista; con un punto se entra en uno que tiene otros adentro.",
  }),
  fields_refused: () => ({
    what: "Este comando no lleva --fields.",
    why: "--fields elige los campos de una lista, y este comando no muestra ninguna.",
    next: "Sacá --fields; lo llevan orders list, catalog history, campaign list, campaign status, profile list y mock log.",
  }),
  folder_shared: ({ profiles }) => ({
    what: `Los perfiles ${profiles.map(quoted).join(" y ")} escribirían en la misma carpeta de --out-dir.`,
    next: "Cambiale el nombre a uno con `bpos profile rename`.",
  }),
  format_unwritten: ({ given, formats }) => ({
    what: `Este comando no escribe ${given}.`,
    why: `Escribe ${formats.join(", ")}.`,
    next: `Elegí uno de esos con -o, por ejemplo -o ${formats[0] ?? "json"}.`,
  }),
  header_field_taken: ({ name }) => ({
    what: `${JSON.stringify(name)} no puede ser el campo del encabezado.`,
    next: "Poné en --header-field el nombre que te dieron los del servicio, o sacalo.",
  }),
  host_unusable: ({ host, port, detail }) => ({
    what: `No se puede escuchar en ${host}${port === undefined ? "" : ` en el puerto ${port}`}: ${ended(detailWords(detail))}`,
    next: "Poné en --host una dirección de esta máquina, 127.0.0.1 o 0.0.0.0, o sacalo.",
  }),
  interval_impolite: () => ({
    what: "--interval es de menos de 10s.",
    why: "El servicio puede limitarte por tantas consultas.",
    next: "Poné --force si lo querés igual, o ensayá con --mock.",
  }),
  time_zone: ({ zone }) => ({
    what: `TZ=${zone} no es un huso horario.`,
    why: "Queda a 24 horas o más de UTC, y con esa diferencia no se puede escribir ninguna hora. No se mandó nada.",
    next: "Poné en TZ un nombre como America/Argentina/Buenos_Aires, o sacala del entorno.",
  }),
  mock_refused: ({ said }) => ({
    what: `El mock no lo aceptó: ${ended(said)}`,
    next: "`bpos mock --help` muestra opciones y ejemplos.",
  }),
  needs_flag: ({ flag, other }) => ({
    what: `${flag} necesita ${other}.`,
    next: `Agregá ${other}, o sacá ${flag}.`,
  }),
  order_number: ({ text }) => ({
    what: `${quoted(text)} no es un número de pedido.`,
    next: "Poné solo los dígitos; `bpos orders list` muestra los números.",
  }),
  profile: ({ problem }) => profileProblemWords(problem),
  scenario_broken: ({ file, said }) => ({
    what: `Escenario ${file}: ${ended(said)}`,
    next: "Corregí el archivo, o elegí un escenario ya hecho; `bpos mock --help` muestra sus nombres.",
  }),
  scenario_unknown: ({ text, names }) => ({
    what: `No existe el escenario ${quoted(text)}.`,
    why: `No es un archivo ni uno de estos: ${names.join(", ")}.`,
    next: "Elegí uno de esos, o poné un archivo tuyo con su carpeta, como ./mi-mundo.json.",
  }),
  stdin_twice: ({ of }) =>
    of === "files"
      ? {
          what: "Hay dos archivos para la entrada estándar.",
          why: "Por ahí entra uno solo.",
          next: "Los demás, ponelos por su nombre.",
        }
      : {
          what: "El archivo y la clave están los dos en la entrada estándar.",
          why: "Por ahí entra uno solo.",
          next: "Poné el archivo por su nombre, o la clave en BPOS_API_KEY.",
        },
  template_choice: () => ({
    what: "Falta la plantilla, o hay dos.",
    next: "Nombrala con --template NOMBRE o con --template-id ID, uno de los dos.",
  }),
  time_over: ({ flag, text }) => ({
    what: `${flag} ${text} ya pasó.`,
    next: "Poné una hora más tarde, o sacalo.",
  }),
  value: ({ flag, text, problem }) => ({
    what: refused(flag, text, problem),
    why: wordsFor(rules, problem),
    next: `Corregilo, o sacá ${flag}; con --help al final del comando ves qué lleva.`,
  }),
};

/** What is wrong with a command line, why, and what to do next. */
export function usageWords(problem: UsageProblem): ErrorWords {
  return { why: "No se mandó nada.", ...wordsFor(problems, problem) };
}
