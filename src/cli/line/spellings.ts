import { similarTo } from "../../errors/problems.ts";

/**
 * Maps the names in bpos to what people type for them, in English and Spanish: commands by name or by their path below `bpos`, then
 * flags, arguments and values. `catalog-list` is `list` typed in the group `catalog`.
 */
export const spellings: Readonly<Record<string, string>> = {
  order: "pedido comanda",
  orders: "order pedido pedidos comanda comandas orden ordenes ticket tickets",
  catalog:
    "catalogo catalogue product products producto productos item items menu price prices precio precios",
  campaign: "campana campanas message messages mensaje mensajes whatsapp envio envios",
  profile:
    "perfil perfiles sucursal sucursales branch branches config configuracion settings ajustes account cuenta",
  printer: "impresora impresoras print imprimir",
  journal: "registro registros database db",
  help: "ayuda man usage commands comandos",
  init: "auth login signin iniciar configure configurar setup install instalar",
  doctor: "auth-status diagnose diagnostico health ping test probar",
  demo: "tour ejemplo demostracion",
  mock: "simulator simulador sandbox server servidor serve",
  schema: "esquema schemas",
  completion: "autocomplete autocompletar autocompletado",
  openapi: "swagger spec",
  status: "estado state",
  "orders show --print": "orders-print orders-imprimir",
  "orders list": "orders-find orders-search orders-history orders-all",
  "catalog push": "catalog-watch catalog-send",
  "catalog history": "catalog-list catalog-ls catalog-show catalog-status catalog-export",
  "campaign status": "campaign-show campaign-report campaign-watch campaign-history",
  "printer stations": "printer-list printer-ls printer-show",
  "journal status": "journal-list journal-ls journal-show",
  "profile show": "whoami me",
  "profile list": "auth-list config-list",
  "profile use": "auth-switch config-use",
  "profile remove": "logout auth-logout",
  "mock fault --list": "mock-faults",
  show: "get view describe info cat read detail details inspect ver mostrar detalle leer",
  list: "ll dir index all listar lista listado todos",
  find: "search lookup buscar encontrar",
  history: "log logs historial pushes",
  watch: "w f follow tail poll monitor stream mirar vigilar seguir monitorear",
  check: "validate verify lint validar verificar revisar comprobar",
  push: "upload import load publish sync update subir cargar importar publicar sincronizar actualizar",
  diff: "compare changes comparar diferencias cambios",
  undo: "revert rollback deshacer revertir",
  delete: "remove rm del deactivate borrar eliminar quitar desactivar",
  send: "create new post mandar enviar crear",
  resume: "continue retry continuar reanudar reintentar",
  listen: "replies webhook receive respuestas escuchar recibir",
  optout: "opt-out optouts unsubscribe baja bajas",
  add: "create new agregar anadir alta crear nuevo",
  remove: "delete rm del borrar eliminar quitar",
  use: "switch select usar elegir",
  rename: "move mv renombrar",
  review: "revisar",
  test: "probar prueba",
  preview: "vista-previa previsualizar",
  station: "estacion estaciones",
  stations: "estacion estaciones",
  copy: "migrate migrar copiar",
  prune: "clean purge vacuum limpiar depurar",
  forget: "olvidar",
  log: "logs requests registro",
  reset: "restart clear reiniciar vaciar",
  reply: "responder respuesta",
  advance: "avanzar",
  clock: "reloj",
  fault: "falla fallas",
  templates: "template plantilla plantillas",

  "exit-codes": "codes exit codigos",
  environment: "env variables entorno",
  flags: "options opciones",
  files: "archivos",
  errors: "errores",

  "--version": "version",
  "--help": "ayuda",
  "--file": "archivo f input",
  "<file>": "file archivo f input i",
  "<codes>": "code codigo codigos",
  "<phone>": "phone telefono to",
  "<id>": "id order pedido",
  "--follow": "f watch w",
  "--watch": "w follow f",
  "--all": "a todo todos todas",
  "--status": "s state estado estados",
  "--only": "s status state estado estados",
  "--since": "s from after desde",
  "--limit": "n l max top count limite",
  "--page": "pagina",
  "--count": "n cantidad",
  "--once": "una-vez",
  "--interval": "i every intervalo",
  "--consumer": "c consumidor",
  "--exec": "e run cmd command ejecutar",
  "--out-dir": "d dir folder output-dir carpeta",
  "--printer": "impresora",
  "--paper": "papel",
  "--dry-run": "n dry d simulate check preview simular simulacion prueba",
  "--yes": "y s si assume-yes confirm",
  "--template": "t template-name plantilla",
  "--ref": "r reference external-ref referencia",
  "--params": "vars variables",
  "--country": "c pais",
  "--exclude": "except excluir",
  "--wait": "esperar",
  "--map": "m columns columnas",
  "--sheet": "hoja",
  "--deactivate-missing": "delete-missing remove-missing",
  "--port": "puerto",
  "--scenario": "escenario",
  "--profile": "account branch perfil sucursal",
  "--mock": "m test simulador sandbox",
  "--api-key-file": "k key api-key apikey token clave",
  "--base-url": "u url api-url server servidor",
  "--output": "format out salida formato",
  "--json": "j",
  "-o csv": "csv excel xlsx",
  "-o ndjson": "ndjson jsonl",
  "-o table": "table tabla text",
  "--fields": "columns select campos",
  "--jq": "query",
  "--quiet": "s silent silencio",
  "--verbose": "d debug trace",
  "--no-color": "no-colour no-colors sin-color",
  "--no-input": "batch non-interactive no-interactive",
  "--lang": "l language locale idioma",
  "--retries": "retry reintentos",

  pendiente: "pending new nuevo nueva nuevos nuevas pendientes",
  en_preparacion: "preparing in-preparation in-progress cooking preparando preparacion",
  listo: "ready lista listos",
  asignado: "assigned asignados",
  en_camino: "on-the-way in-transit in-delivery out-for-delivery dispatched shipped camino enviado",
  entregado: "delivered completed done finished entregados",
  rechazado: "rejected refused declined rechazados",
  cancelado: "cancelled canceled cancelados anulado",
  all: "any todo todos todas",
  pending: "pendiente pendientes",
  sent: "enviado enviados mandado",
  delivered: "entregado entregados",
  read: "leido leidos seen",
  responded: "respondido respondidos replied answered",
  failed: "fallido fallidos error errors",
  table: "tabla text texto human",
  text: "texto plain",
  ndjson: "jsonl json-lines jsonlines",
  csv: "excel xlsx tsv",
  powershell: "pwsh ps",
  bash: "sh",
  es: "spanish espanol castellano es-mx es-es",
  en: "english ingles en-us en-gb",
  escpos: "epson esc-pos",
  cash: "efectivo",
  always: "siempre",
  first: "primero primera",
  last: "ultimo ultima",
  s: "sec secs second seconds seg segs segundo segundos",
  m: "min mins minute minutes minuto minutos",
  h: "hr hrs hs hour hours hora horas",
  d: "day days dia dias",
  ",": "coma comma",
  ".": "punto dot point",
  empty: "vacio",
};

/** The word without case, accents and leading dashes, its parts joined by dashes. */
const plain = (typed: string): string =>
  typed
    .normalize("NFD")
    .replace(/\p{M}+|^-+/gu, "")
    .toLowerCase()
    .replace(/[\s_]+/g, "-");

/** Returns the names in bpos that a word can mean, the likeliest first. */
export function meaningsOf(typed: string): string[] {
  const word = plain(typed);
  return Object.entries(spellings).flatMap(([meaning, words]) =>
    word !== "" && words.split(" ").includes(word) ? [meaning] : [],
  );
}

/** Which known name other words mean; null if none. */
export function spelledAs(typed: string, known: readonly string[]): string | null {
  const same = known.find((each) => plain(each) === plain(typed) && plain(typed) !== "");
  return same ?? meaningsOf(typed).find((each) => known.includes(each)) ?? null;
}

/** Which known name is meant, in other words or mistyped; null if none. */
export const meantBy = (typed: string, known: readonly string[]): string | null =>
  spelledAs(typed, known) ?? similarTo(typed, known);
