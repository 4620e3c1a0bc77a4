import type { service as enService } from "../en/service.ts";
import { shellWord } from "../phrases.ts";

/** Lo que dicen los archivos que hace `bpos service print`, y lo que se avisa de ellos. */
export const service: typeof enService = {
  systemd: (command, file) => `${command}, para systemd: ${file}`,
  once: "Una vez, como root: su usuario, y los perfiles de ese usuario (/var/lib/bpos/config.json, modo 0600):",
  enable: "Después ‹arráncalo›, ahora y en cada inicio, y ‹mira› lo que dice:",
  start: "Después ‹córrelo›, o ‹deja› que lo haga un timer, y ‹mira› lo que dice:",
  exitCodes:
    "130 es ‹un cierre pedido›. Reiniciar no arregla un comando mal escrito (2) ni una clave rechazada (4).",
  variables:
    "Por ejemplo BPOS_API_KEY=… y BPOS_JOURNAL=…, una por línea. El archivo tiene que ser de root, con modo 0600.",
  credential:
    'O, para una clave en su propio archivo: LoadCredential=centro:/etc/bpos/centro.key, y en el perfil "key_command": "cat $CREDENTIALS_DIRECTORY/centro".',
  folders: (user) => `Tienen que existir, y ${user} tiene que poder escribir en ellas.`,
  devices: "Una impresora que se conecta más tarde todavía no tiene dispositivo cuando arranca el servicio.",
  jit: "Node compila JavaScript en memoria que después ejecuta: con `yes` terminaría enseguida.",
  launchd: (command, file) =>
    `${command}, para launchd: ${file}. Arranca cuando ‹inicias› sesión; para arrancarlo y para ‹detenerlo›:`,
  daemon: (file) => `Para que arranque con la máquina, ‹agrega› UserName y ‹guárdalo› como ${file}, de root.`,
  flagsBefore: (flags) =>
    `${flags.join(", ")} antes de \`--\` no es parte del comando del servicio. ‹Ponlo› detrás de \`--\`.`,
  home: (path) =>
    `${path} está en una carpeta personal, que el usuario del servicio quizás no pueda leer. ‹Instala› Node y bpos para todos los usuarios (por ejemplo en /usr/local), y ‹guarda› los archivos en /srv o /var/lib/bpos.`,
  resolved: (typed, path) =>
    `Un servicio corre en otra carpeta: ${shellWord(typed)} es ${shellWord(path)} en él.`,
  mock: "El comando lleva --mock: en este servicio no pasa nada real.",
  variablesLost: (names, kind) =>
    `El servicio no recibe estas variables de esta terminal: ${names.join(", ")}. ${kind === "systemd" ? "‹Pon› las que necesite en /etc/bpos.env." : "‹Guarda› lo que necesite en un perfil (`bpos profile add`)."}`,
  loud: "Cada pedido también se imprime en el registro, con nombre, teléfono y dirección; con -q no.",
  task: (name) => `Para registrarlo, como administrador: schtasks /Create /TN ${name} /XML ARCHIVO`,
};
