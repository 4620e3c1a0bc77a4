import type { service as enService } from "../en/service.ts";
import { shellWord } from "../phrases.ts";

/** Lo que dicen los archivos que hace `bpos service print`, y lo que se avisa de ellos. */
export const service: typeof enService = {
  systemd: (command, file) => `${command}, para systemd: ${file}`,
  once: "Una vez, como root: su usuario, y los perfiles de ese usuario (/var/lib/bpos/config.json, modo 0600):",
  enable: "Después arrancalo, ahora y en cada inicio, y mirá lo que dice:",
  start: "Después corrélo, o dejá que lo haga un timer, y mirá lo que dice:",
  exitCodes:
    "130 es una parada pedida. Reiniciar no arregla un comando mal escrito (2) ni una clave rechazada (4).",
  variables:
    "Por ejemplo BPOS_API_KEY=… y BPOS_JOURNAL=…, una por línea. El archivo tiene que ser de root, con modo 0600.",
  credential:
    'O, para una clave en su propio archivo: LoadCredential=centro:/etc/bpos/centro.key, y en el perfil "key_command": "cat $CREDENTIALS_DIRECTORY/centro".',
  folders: (user) => `Tienen que existir, y ${user} tiene que poder escribir en ellas.`,
  devices: "Una impresora que se conecta más tarde todavía no tiene dispositivo cuando arranca el servicio.",
  jit: "Node compila JavaScript en memoria que después ejecuta: con `yes` terminaría enseguida.",
  launchd: (command, file) =>
    `${command}, para launchd: ${file}. Arranca cuando iniciás sesión; para arrancarlo y para pararlo:`,
  daemon: (file) => `Para que arranque con la máquina, agregá UserName y guardalo como ${file}, de root.`,
  flagsBefore: (flags) =>
    `${flags.join(", ")} antes de \`--\` no es parte del comando del servicio. Ponelo detrás de \`--\`.`,
  home: (path) =>
    `${path} está en una carpeta personal, que el usuario del servicio quizás no pueda leer. Instalá Node y bpos para todos los usuarios (por ejemplo en /usr/local), y guardá los archivos en /srv o /var/lib/bpos.`,
  resolved: (typed, path) =>
    `Un servicio corre en otra carpeta: ${shellWord(typed)} es ${shellWord(path)} en él.`,
  mock: "El comando lleva --mock: en este servicio no pasa nada real.",
  variablesLost: (names, kind) =>
    `El servicio no recibe estas variables de esta terminal: ${names.join(", ")}. ${kind === "systemd" ? "Poné las que necesite en /etc/bpos.env." : "Guardá lo que necesite en un perfil (`bpos profile add`)."}`,
  loud: "Cada pedido también se imprime en el registro, con nombre, teléfono y dirección; con -q no.",
  task: (name) => `Para registrarlo, como administrador: schtasks /Create /TN ${name} /XML ARCHIVO`,
};
