import { databaseAdvice } from "../shared/details.ts";

/** Why a database cannot be the journal, as part of a sentence, and what to do next. */
export const databaseWords = databaseAdvice({
  not_database: {
    what: "tiene que ser la dirección de una base de datos PostgreSQL",
    next: "‹Escribe› postgres://USUARIO@HOST/BASE, o ‹quita› esa configuración: sin ella, el registro es un archivo de SQLite.",
  },
  address_broken: {
    what: "no se entiende la dirección",
    next: "‹Escribe› postgres://USUARIO:CONTRASEÑA@HOST:PUERTO/BASE, con los caracteres especiales codificados con % (# es %23).",
  },
  unescaped: {
    what: "un carácter especial de la dirección tiene que ir codificado con %",
    next: "En el usuario, la contraseña y la base, ‹escribe› @ como %40, # como %23, / como %2F, ? como %3F y % como %25, o ‹guarda› la contraseña en ~/.pgpass.",
  },
  several_hosts: { what: "la dirección nombra varios servidores", next: "‹Pon› uno solo: el primario." },
  userless: {
    what: "la dirección no nombra ningún usuario",
    next: "‹Escribe› postgres://USUARIO@HOST/BASE, o ‹define› PGUSER.",
  },
  sslmode_unknown: {
    what: '"{mode}" no es un sslmode',
    next: "‹Usa› disable, allow, prefer, require, verify-ca o verify-full. verify-full comprueba el certificado y el nombre del servidor.",
  },
  parameter_unknown: {
    what: 'la dirección tiene el parámetro desconocido "{name}"',
    next: "‹Corrígelo› o ‹quítalo›. bpos conoce host, port, user, password, sslmode, sslrootcert, sslcert, sslkey, channel_binding, require_auth y options.",
  },
  parameter_refused: {
    what: 'bpos no puede cumplir lo que pide "{name}"',
    next: "‹Quítalo› (un nombre en mayúsculas es una variable del entorno), o ‹usa› sslmode=verify-full y channel_binding=require, que bpos sí cumple.",
  },
  port_unusable: {
    what: "el puerto no es un número entero de 1 a 65535",
    next: "‹Corrige› el puerto en la dirección, o PGPORT.",
  },
  in_profile: {
    what: 'el perfil "{profile}" tiene un "journal"',
    next: "‹Quítalo› del perfil y ‹ponlo› donde está `default`: todos los perfiles tienen un mismo registro.",
  },
  key_misspelt: {
    what: 'ahí no existe "{key}"',
    next: "‹Escribe› journal, o ‹quítalo›: sin él, el registro es un archivo de esta máquina.",
  },
  certificate_file: {
    what: "{detail}",
    next: "‹Corrige› sslrootcert, sslcert o sslkey en la dirección (o PGSSLROOTCERT, PGSSLCERT, PGSSLKEY).",
  },
  refused: {
    what: "conexión rechazada, ahí no escucha ningún servidor",
    next: "‹Inicia› el servidor, o ‹corrige› el servidor y el puerto de la dirección. El servidor tiene que escuchar en esa dirección (listen_addresses).",
  },
  host_unknown: {
    what: "no se encontró ese servidor",
    next: "‹Corrige› el servidor de la dirección, o ‹revisa› la red y el DNS de esta máquina.",
  },
  silent: {
    what: "no respondió a tiempo",
    next: "‹Revisa› el servidor y el puerto de la dirección, que el servidor esté corriendo y que no haya un firewall en el medio.",
  },
  no_route: {
    what: "la red de esta máquina no llega hasta ahí",
    next: "‹Revisa› el servidor de la dirección y la red de esta máquina.",
  },
  no_socket: {
    what: "no existe ese socket, o no hay permiso para usarlo",
    next: "‹Inicia› el servidor en esta máquina, o ‹corrige› en la dirección la carpeta de su socket.",
  },
  cut: {
    what: "se cortó la conexión",
    next: "‹Revisa› el servidor y el puerto de la dirección. Si están bien, el log del servidor dice por qué; después ‹corre› el comando de nuevo.",
  },
  not_postgres: {
    what: "lo que responde ahí no es PostgreSQL",
    next: "‹Revisa› el servidor y el puerto de la dirección.",
  },
  pooler: {
    what: "ahí responde un pooler que no le da a bpos una sesión propia",
    next: "‹Pon› el host y el puerto del servidor mismo, o de un pooler en modo de sesión.",
  },
  starting: {
    what: "el servidor está arrancando o deteniéndose",
    next: "‹Espera› un momento y ‹corre› el comando de nuevo.",
  },
  too_many: {
    what: "el servidor no acepta más conexiones",
    next: "‹Cierra› sesiones que nadie necesite, o ‹sube› max_connections del servidor. Cada bpos que corre usa dos.",
  },
  tls_failed: {
    what: "falló TLS ({detail})",
    next: "‹Revisa› el servidor y el puerto de la dirección, y qué versiones de TLS permite el servidor.",
  },
  tls_refused: {
    what: "el servidor no ofrece TLS",
    next: "‹Actívalo› en el servidor (ssl = on). En una red de confianza, sslmode=disable en la dirección desactiva TLS.",
  },
  tls_required: {
    what: "el servidor exige TLS",
    next: "‹Usa› sslmode=verify-full en la dirección; si la CA es propia, ‹pasa› su certificado con --ca-file ARCHIVO.",
  },
  not_listed: {
    what: "el pg_hba.conf del servidor no permite este usuario, esta base y esta máquina",
    next: "‹Pídele› a quien administra el servidor una línea en pg_hba.conf. Si la línea empieza con hostssl, ‹usa› sslmode=verify-full en la dirección.",
  },
  tls_untrusted: {
    what: "el certificado del servidor no es de confianza ({detail})",
    next: "‹Pasa› el certificado de su CA con --ca-file ARCHIVO. Si el certificado venció, tiene que renovarlo quien administra el servidor.",
  },
  tls_other_name: {
    what: "el certificado del servidor es de otro host ({detail})",
    next: "‹Escribe› el host de la dirección como está en el certificado. Con sslmode=verify-ca se comprueba el certificado sin el nombre.",
  },
  login: {
    what: {
      user: 'no acepta al usuario "{user}" con esa contraseña',
      else: "no acepta esos datos de acceso",
    },
    next: "‹Corrige› el usuario y la contraseña: en la dirección, con los caracteres especiales codificados con %, o en PGUSER, PGPASSWORD o ~/.pgpass.",
  },
  password_missing: {
    what: 'pide una contraseña[ para el usuario "{user}"], y no hay ninguna',
    next: "‹Guárdala› en ~/.pgpass (modo 0600) o en PGPASSWORD, o ‹ponla› en la dirección: postgres://USUARIO:CONTRASEÑA@HOST/BASE.",
  },
  method_refused: {
    what: "autentica por {method}, que require_auth no permite",
    next: "‹Comprueba› que el host y el puerto sean los de tu servidor y no los de algo en el medio. Si lo son, ‹corrige› require_auth en la dirección (o PGREQUIREAUTH).",
  },
  not_bound: {
    what: "no ofrece channel binding (SCRAM-SHA-256-PLUS sobre TLS), que channel_binding=require pide",
    next: "‹Comprueba› que el host y el puerto sean los de tu servidor y no los de algo en el medio que termina TLS. El servidor necesita ssl = on y una contraseña guardada con scram-sha-256.",
  },
  tls_version: {
    what: "usa {version}, que ssl_min_protocol_version o ssl_max_protocol_version no permite",
    next: "‹Permite› otra versión en el servidor, o ‹corrige› el parámetro en la dirección (o su variable).",
  },
  database_missing: {
    what: 'no existe la base de datos "{database}"',
    next: "‹Créala›: `createdb -E UTF8 -T template0 {database:shell}`, o ‹corrige› su nombre en la dirección.",
  },
  no_schema_rights: {
    what: 'el usuario "{user}" no puede crear el esquema bpos',
    next: "Como dueño de la base, ‹corre› una vez `GRANT CREATE ON DATABASE {database:sql} TO {user:sql};`, o cualquier comando de bpos.",
  },
  no_table_rights: {
    what: 'el usuario "{user}" no puede usar o cambiar las tablas del esquema bpos',
    next: "Como dueño del esquema, ‹corre› `GRANT USAGE ON SCHEMA bpos TO {user:sql}; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bpos TO {user:sql};`. Después de actualizar bpos, ‹corre› primero un comando cualquiera como dueño.",
  },
  no_create_rights: {
    what: 'el usuario "{user}" no puede crear tablas en el esquema bpos',
    next: "Como dueño del esquema, ‹corre› una vez `GRANT USAGE, CREATE ON SCHEMA bpos TO {user:sql};`, o cualquier comando de bpos.",
  },
  foreign_owner: {
    what: { isSchema: 'el esquema bpos es de "{owner}"', else: '{thing} es de "{owner}"' },
    next: "Lo que contiene podría ejecutarse como {user}. ‹Usa› una base propia, o ‹haz› que lo borren (`DROP SCHEMA bpos CASCADE;`). Si ‹confías› en ese rol, ‹corre› `GRANT {owner:sql} TO {user:sql};`.",
  },
  foreign_code: {
    what: '"{thing}" está en el esquema bpos, y no lo creó bpos',
    next: "Podría cambiar o leer cada pedido y cada mensaje. ‹Averigua› quién lo creó y ‹bórralo›.",
  },
  too_old: {
    what: "PostgreSQL {version} es demasiado viejo",
    next: "‹Actualiza› el servidor a PostgreSQL {oldest} o posterior.",
  },
  other_encoding: {
    what: "su codificación es {encoding}, no UTF8",
    next: "‹Usa› una base en UTF8: `createdb -E UTF8 -T template0 NOMBRE`.",
  },
  read_only: {
    what: "es de solo lectura",
    next: "Si es una réplica, ‹pon› en la dirección el host del primario. Si no, ‹revisa› default_transaction_read_only.",
  },
  disk_full: {
    what: "el disco del servidor está lleno",
    next: "‹Libera› espacio en el disco del servidor.",
  },
  busy: {
    what: "otra sesión la tuvo bloqueada demasiado tiempo",
    next: "‹Corre› el comando de nuevo. Si sigue, ‹busca› una transacción larga en pg_stat_activity.",
  },
  cancelled: {
    what: "el servidor cancela sus sentencias",
    next: "‹Corre› el comando de nuevo. Si sigue, ‹busca› un statement_timeout del usuario, de la base o del servidor.",
  },
  settings_lost: {
    what: "la sesión no conserva los ajustes de bpos ({settings})",
    next: "‹Pon› el host y el puerto del servidor mismo. Detrás de un pooler en modo de sesión, ‹fíjalos› para el usuario: `{statements}`.",
  },
  half_copied: {
    what: "tiene una copia sin terminar de un registro",
    next: "‹Corre› otra vez `bpos journal copy` en la máquina de ese registro. Para empezar de cero con la base vacía, ‹corre› ahí `DROP SCHEMA bpos CASCADE;`.",
  },
  copied_into: {
    what: "se le copió un registro después de que empezó este comando",
    next: "‹Corre› el comando de nuevo.",
  },
  said: { what: "{detail}", next: "Puede que el log del servidor diga más." },
});
