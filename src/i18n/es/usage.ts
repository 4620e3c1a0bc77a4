import { profileProblemWords } from "../../errors/words/profiles.ts";
import { placeholderText, spokenFlag } from "../../texts/flags.ts";
import { textsIn } from "../../texts/texts.ts";
import { usageAdvice, valueRules } from "../shared/usage.ts";
import { detailWords } from "./call-errors.ts";
import { rowProblemWords } from "./files.ts";
import { dates } from "./general.ts";

/** What a value must be. */
const ruleWords = valueRules({ row: rowProblemWords })({
  empty: "No puede quedar vacío.",
  not_address: "Se espera una dirección como https://pos.example.com.",
  not_choice: "‹Elige› uno de estos: {choices}.",
  not_clock: "Se espera una fecha y hora con segundos y huso horario, como 2026-01-01T12:00:00-03:00.",
  not_country: "Se esperan las dos letras de un país, por ejemplo AR.",
  not_consumer: "Se esperan de 1 a 64 letras sin acento, números, puntos, - o _.",
  hours_empty: "Nunca llegan: terminan cuando empiezan. Todo el día es 00:00-24:00.",
  not_days: "Se esperan días como mon-sat (lun-sab) o mon,wed,fri.",
  not_duration: "Se espera una duración como 90s, 2m o 1h30m.",
  not_forward_address: "Se espera una dirección http:// o https:// sin usuario ni contraseña.",
  not_hours: "Se espera un horario como 09:00-21:00; 21:00-02:00 pasa la medianoche.",
  not_instant:
    "Se espera una fecha u hora como 31/1/2026, 2026-01-31T08:00:00-03:00, 2h (hace dos horas), hoy o ayer.",
  not_instant_to_come: "Se espera una hora como 2026-01-01T15:00, 31/1/2026, 15:00 o 2h (desde ahora).",
  not_jq: "No es un programa de jq válido: {detail}.",
  not_language: "Se espera un idioma y un país, como es_AR.",
  not_number: "Se espera un número, como 60.",
  not_pace: "Se esperan destinatarios por hora, minuto o segundo, como 300/h, 10/min o 2/s.",
  not_pair: '"{text}" no es un par como codigo=SKU.',
  not_percentage: "Se espera un porcentaje entero de 1% a 1000%, como 50%.",
  not_phone: "{problem}.",
  not_printer: {
    isWindows: {
      serial: "Un puerto serie de Windows es file:\\\\.\\{serial}.",
      else: "En Windows una impresora es tcp://192.168.1.50:9100 (en red), file:\\\\localhost\\NOMBRE (compartida, con el nombre que tiene al compartirla) o file:\\\\.\\COM3 (puerto serie).",
    },
    else: "Una impresora es tcp://192.168.1.50:9100 (en red), file:/dev/usb/lp0 (USB en Linux), file:/dev/ttyUSB0 (puerto serie) o lp:COLA (`lpstat -p` lista las colas de esta máquina).",
  },
  not_share: "Se espera un porcentaje como 20%, o un número entero.",
  not_state: "Los estados son {states}; all es cualquiera de ellos.",
  not_time_zone: "Se espera el nombre de una zona horaria, como America/Sao_Paulo.",
  not_whole: {
    max: "Se espera un número entero de {min} a {max}.",
    else: "Se espera un número entero desde {min}.",
  },
  pace_too_low: "Tiene que ser 1/h o más.",
  status_missing: "Se esperan uno o más estados, por ejemplo failed.",
  too_short: "Tiene que ser {min} o más.",
  zero: "Tiene que durar más de 0 s.",
});

const itsFlags = "`{command} --help` muestra sus argumentos, opciones y ejemplos.";
const itsCommands = "`{command} --help` los describe.";

/** What is wrong with a command line, why, and what to do next; `why` is left out where the headline says it all. */
export const usageWords = usageAdvice({
  detail: detailWords,
  placeholder: (name) => placeholderText(name, textsIn("es")),
  profile: (problem) => profileProblemWords(problem, textsIn("es")),
  rule: ruleWords,
  spoken: (flag) => spokenFlag(flag, textsIn("es")),
  time: dates.time,
})({
  argument_missing: { what: "Falta <{argument}>.", next: itsFlags },
  arguments_too_many: {
    what: "Sobran argumentos: hay {found} en lugar de {expected}.[ ¿Quisiste decir {guess}?]",
    next: { guess: itsFlags, else: `‹Pon› entre comillas los textos con espacios. ${itsFlags}` },
  },
  command_unknown: {
    what: "No existe el comando `{command} {name}`.[ ¿Quisiste decir {guess}?]",
    why: { guess: "", else: "Los comandos de `{command}` son {known}." },
    next: itsCommands,
  },
  flag_unknown: {
    what: "No existe la opción {flag}.[ ¿Quisiste decir {guess}?]",
    next: itsFlags,
  },
  subcommand_missing: { what: "Falta un comando después de `{command}`.", next: itsCommands },
  value_missing: {
    what: "A `{flag}` le falta el valor.",
    next: `‹Escríbelo› después de la opción. ${itsFlags}`,
  },
  file_exists: {
    what: "{flag} {file} ya existe.",
    why: "Se reemplazaría su contenido.",
    next: "‹Elige› otro nombre, o ‹reemplázalo› con --force.",
  },
  file_is_input: { what: "{flag} nombra el mismo archivo que se lee.", next: "‹Elige› otro nombre." },
  file_not_csv: {
    what: "{flag} no nombra un archivo .csv ni .xlsx.",
    next: "‹Elige› un nombre que termine en .csv, o en .xlsx para una ‹hoja de cálculo› de Excel.",
  },
  file_not_table: {
    what: "{flag} no nombra un archivo .csv ni .xlsx.",
    next: "‹Elige› un nombre que termine en uno de estos.",
  },
  file_not_workbook: {
    what: "{flag} no nombra un archivo .xlsx.",
    next: "‹Elige› un nombre que termine en .xlsx; -o csv y --json imprimen lo mismo.",
  },
  file_unwritable: {
    next: "‹Corrige› eso, o ‹elige› un archivo en otra carpeta.",
  },
  address_unusable: {
    what: 'La dirección "{shown}" de {name} no es válida.',
    why: "La dirección tiene que empezar con http:// o https:// y no puede llevar usuario, contraseña, parámetros (?…) ni un fragmento (#…).",
    next: "‹Pon› la dirección tal como te la dio quien administra el servicio, por ejemplo https://pos.example.com.",
  },
  argument_value: {
    what: {
      typed: "<{argument}> no acepta {typed}.[ ¿Quisiste decir {guess}?]",
      else: "<{argument}> no acepta ese valor.[ ¿Quisiste decir {guess}?]",
    },
    next: `‹Corrígelo›. ${itsFlags}`,
  },
  campaign_id_unusable: {
    what: '"{id}" no es un campaign_id.',
    next: "‹Copia› el id que mostró el envío; `bpos campaign list` también lo muestra.",
  },
  campaign_id_is_ref: {
    what: '"{ref}" es una referencia de este registro, no un campaign_id.',
    next: "‹Pásala› con --ref: `bpos campaign status --ref {ref:shell}`.",
  },
  campaign_unnamed: {
    what: "No se indicó ninguna campaña.",
    next: "‹Pasa› el id de una campaña, o --ref REF; `bpos campaign list` muestra los dos.",
  },
  canary_size: {
    what: {
      isNobody: "--canary {text} de {people|destinatario|destinatarios} no es nadie.",
      else: "--canary {text} es más de lo que hay: el mensaje iría a {people|destinatario|destinatarios}.",
    },
    next: "‹Elige› un número de 1 a {people} o un porcentaje mayor, o ‹quítalo›.",
  },
  codes_missing: {
    what: "No se indicó ningún producto.",
    next: "‹Escribe› los códigos después del comando, o ‹pasa› un archivo que los tenga con --file ARCHIVO.",
  },
  control_character: {
    what: "El producto {code} tiene un carácter de control.",
    next: "‹Elige› en --fixed un archivo que termine en .ndjson.",
  },
  date_ambiguous: {
    what: "{flag} {text} puede ser {dayFirst} o {monthFirst}.",
    why: "bpos lee primero el día, y sin una terminal nadie lo vería.",
    next: "‹Pon› {flag} {dayFirst}, o {monthFirst} si es ese día.",
  },
  exclusive: {
    what: "{one} y {other} no van juntos.",
    next: "‹Quita› uno de los dos.",
  },
  explained_nothing: {
    what: 'No existe el motivo de error "{text}".[ ¿Quisiste decir {guess}?]',
    next: "`bpos help errors` los lista todos.",
  },
  fault_unsaid: {
    what: "Falta la regla, o se pidió más de una cosa.",
    next: "‹Escribe› una regla como `bpos mock fault 'POST /campaigns status=502 times=2'`.",
  },
  field_unknown: {
    what: 'No existe el campo "{name}" de --fields.[ ¿Quisiste decir {guess}?]',
    why: "Los campos son {known}.",
    next: "‹Elige› campos de esa lista; con un punto se llega a los que están ‹dentro› de otro.",
  },
  fields_refused: {
    what: "Este comando no acepta --fields.",
    why: "--fields elige los campos de una lista, y este comando no muestra ninguna.",
    next: "‹Quita› --fields; lo aceptan orders list, catalog history, campaign list, campaign status, campaign find, profile list, journal status y mock log.",
  },
  folder_shared: {
    what: 'Los perfiles "{one}" y "{other}" escribirían en la misma carpeta de --out-dir.',
    next: "‹Cámbiale› el nombre a uno con `bpos profile rename`.",
  },
  format_unwritten: {
    what: "Este comando no escribe {given}.",
    why: "Escribe {formats}.",
    next: "‹Elige› uno de esos con -o, por ejemplo -o {example}.",
  },
  header_field_taken: {
    what: '"{name}" no puede ser el campo del encabezado.',
    next: "‹Pon› en --header-field el nombre que te dio quien administra el servicio, o ‹quítalo›.",
  },
  host_unusable: {
    what: "No se puede escuchar en {host}[ en el puerto {port}]: {detail}.",
    next: "‹Pon› en --host una dirección de esta máquina, 127.0.0.1 o 0.0.0.0, o ‹quítalo›.",
  },
  hours_never: {
    what: {
      zone: "Nunca son las {hours} en todas las zonas horarias de {countries} a la vez: a estos destinatarios no se les mandó nada.",
      else: "Nunca son las {hours} en {countries}: a estos destinatarios no se les mandó nada.",
    },
    why: "Un teléfono no dice en qué zona horaria de su país está su dueño, así que bpos respeta todas.",
    next: {
      zone: "‹Elige› la que vale, por ejemplo --time-zone {zone}, o un horario más amplio.",
      else: "‹Elige› otro horario.",
    },
  },
  hours_too_late: {
    what: "El horario de {countries} empieza recién a las {opens}, después de --not-after ({notAfter}).",
    next: "‹Pon› un --not-after posterior u otro horario, o ‹quita› a esos destinatarios.",
  },
  interval_impolite: {
    what: "--interval es de menos de 10s.",
    why: "El servicio puede limitar tus consultas.",
    next: "‹Agrega› --force si es a propósito, o ‹ensaya› con --mock.",
  },
  time_zone: {
    what: "TZ={zone} no es un huso horario.",
    why: "Está a 24 horas o más de UTC, y ninguna hora se puede escribir con esa diferencia.",
    next: "‹Pon› en TZ un nombre como America/Argentina/Buenos_Aires, o ‹quítala› del entorno.",
  },
  mock_absent: {
    what: "No hay ningún mock corriendo.",
    why: "El mundo de --mock corre solo durante cada comando: no manda respuestas.",
    next: "‹Inicia› uno con `bpos mock`, o ‹nómbralo› con --url.",
  },
  mock_refused: {
    what: "El mock lo rechazó: {said}.",
    next: "`bpos mock --help` muestra opciones y ejemplos.",
  },
  needs_flag: { what: "{flag} necesita {other}.", next: "‹Agrega› {other}, o ‹quita› {flag}." },
  order_number: {
    what: '"{text}" no es un número de pedido.',
    next: "‹Pon› solo los dígitos; `bpos orders list` muestra los números.",
  },
  printer_absent: {
    what: "No se indicó ninguna impresora.",
    why: {
      profile: 'El perfil "{profile}" no tiene ninguna.',
      else: "No se usa ningún perfil.",
    },
    next: {
      profile:
        "‹Indícala›, por ejemplo --printer tcp://192.168.1.50:9100, o ‹guárdala›: `bpos profile add {profile:shell} --update --printer URL`.",
      else: "‹Indícala›, por ejemplo --printer tcp://192.168.1.50:9100, o ‹guárdala›: `bpos profile add NOMBRE --update --printer URL`.",
    },
  },
  station: {
    what: 'Estación no válida: {place}[, "{text}"].',
    why: {
      fault: {
        not_list: "stations es una lista de estaciones.",
        not_object: "Una estación es un objeto con name, printer, categories, everything y copies.",
        name: "El nombre lleva de 1 a 32 letras, cifras, puntos, - o _; la primera, letra o cifra.",
        name_twice: "Otra estación tiene ese nombre, o uno que solo cambia en mayúsculas o acentos.",
        key: "Una estación solo tiene name, printer, categories, everything y copies.",
        printer_absent: "No nombra ninguna impresora.",
        printer: "Una impresora es tcp://192.168.1.50:9100, file:/dev/usb/lp0 o lp:COLA.",
        categories: "categories es una lista de nombres.",
        everything: "everything es true o false.",
        nothing: "No imprime nada: no nombra ‹categorías› ni tiene everything en true.",
        copies: "copies es un número entero de 1 a 9.",
      },
      else: "El perfil no se puede leer.",
    },
    next: "‹Corrígela› en el perfil, o con `bpos profile station add` y `remove`.",
  },
  station_unknown: {
    what: '{file}, línea {line}: La estación "{name}" no existe.',
    why: {
      similar: 'La más parecida es "{similar}".',
      known: "Las estaciones son {known}.",
      else: "El perfil no tiene estaciones.",
    },
    next: "`bpos profile station list` las muestra.",
  },
  scenario_broken: {
    what: "Escenario {file}: {said}.",
    next: "‹Corrige› el archivo, o ‹elige› un escenario incluido; `bpos mock --help` muestra sus nombres.",
  },
  scenario_unknown: {
    what: 'No existe el escenario "{text}".[ ¿Quisiste decir {guess}?]',
    why: "No es un archivo ni uno de estos: {names}.",
    next: "‹Elige› uno de esos, o un archivo tuyo con su carpeta, como ./mi-mundo.json.",
  },
  schema_unknown: {
    what: "`bpos {text}` no imprime JSON propio.[ ¿Quisiste decir {guess}?]",
    next: "`bpos schema` lista los comandos que sí.",
  },
  stdin_twice: {
    what: {
      of: {
        files: "Dos archivos tendrían que venir por la entrada estándar.",
        file_and_key: "El archivo y la clave tendrían que venir por la entrada estándar.",
      },
    },
    why: "Por ahí entra uno solo.",
    next: "‹Pasa› uno por el nombre de su archivo; la clave también puede ir en BPOS_API_KEY.",
  },
  copy_target_missing: {
    what: "Falta la base de datos.",
    next: "‹Indícala› con --to postgres://USUARIO@HOST/BASE, o con BPOS_JOURNAL.",
  },
  template_choice: {
    what: "Falta la plantilla, o hay dos.",
    next: "‹Indícala› con --template NOMBRE o con --template-id ID, no con los dos.",
  },
  time_over: { what: "{flag} {text} ya pasó.", next: "‹Pon› una hora posterior, o ‹quítalo›." },
  value: {
    what: {
      typed: "{flag} no acepta {typed}.[ ¿Quisiste decir {guess}?]",
      else: "{flag} no acepta ese valor.[ ¿Quisiste decir {guess}?]",
    },
    next: "‹Corrígelo›, o ‹quita› {flag}; --help después del comando muestra qué acepta.",
  },
});
