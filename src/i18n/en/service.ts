import { shellWord } from "../phrases.ts";

/** What stands in the files that `bpos service print` makes, and what it says of them. */
export const service = {
  systemd: (command: string, file: string) => `${command}, for systemd: ${file}`,
  once: "Once, as root: its user, and that user's profiles (/var/lib/bpos/config.json, mode 0600):",
  enable: "Then start it, now and at each boot, and read what it says:",
  start: "Then run it, or let a timer do so, and read what it says:",
  exitCodes:
    "130 is a stop that was asked for. A restart mends neither a wrong command (2) nor a refused key (4).",
  variables:
    "Such as BPOS_API_KEY=… and BPOS_JOURNAL=…, one a line. The file should be root's, with mode 0600.",
  credential:
    'Or, for a key of its own file: LoadCredential=centro:/etc/bpos/centro.key, and in the profile "key_command": "cat $CREDENTIALS_DIRECTORY/centro".',
  folders: (user: string) => `They must exist, and ${user} must be allowed to write to them.`,
  devices: "A printer that is connected later has no device yet when the service starts.",
  jit: "Node compiles JavaScript into memory that it then runs: `yes` would end it at once.",
  launchd: (command: string, file: string) =>
    `${command}, for launchd: ${file}. It starts when you log in; to start and to stop it:`,
  daemon: (file: string) => `To start it at boot, add UserName and keep it as ${file}, owned by root.`,
  flagsBefore: (flags: readonly string[]) =>
    `${flags.join(", ")} before \`--\` is no part of the command of the service. Put it behind \`--\`.`,
  home: (path: string) =>
    `${path} is in a home folder, which the user of the service may not be allowed to read. Install Node and bpos for all users (in /usr/local, for example), and keep files in /srv or /var/lib/bpos.`,
  resolved: (typed: string, path: string) =>
    `A service runs in another folder: ${shellWord(typed)} is ${shellWord(path)} in it.`,
  mock: "The command has --mock: nothing real happens in this service.",
  variablesLost: (names: readonly string[], kind: string) =>
    `The service does not get these variables of this shell: ${names.join(", ")}. ${kind === "systemd" ? "Put what it needs into /etc/bpos.env." : "Keep what it needs in a profile (`bpos profile add`)."}`,
  loud: "Each order is also printed to the log, with name, phone and address; -q leaves that out.",
  task: (name: string) => `To register it, as administrator: schtasks /Create /TN ${name} /XML FILE`,
};
