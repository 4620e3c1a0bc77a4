import type { Texts } from "../../i18n/en.ts";
import type { Service } from "./service.ts";

const user = "bpos";

/** A word of `ExecStart=`, which systemd takes for exactly these characters. */
function execWord(word: string, n: number): string {
  const signs: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };
  const text = word.replace(/[\\"]/g, "\\$&").replace(/[\n\t\r]/g, (sign) => signs[sign] ?? "");
  // No variables stand in the name of a program.
  const escaped = escapeSpecifiers(n === 0 ? text : text.replaceAll("$", "$$$$"));
  return /^[\w@:,./+=-]+$/.test(word) ? word : `"${escaped}"`;
}

const escapeSpecifiers = (text: string): string => text.replaceAll("%", "%%");

/** A path where backslashes stand for themselves, so that a quotation mark must be within marks of the other kind. */
const pathWord = (path: string): string =>
  escapeSpecifiers(path)
    .split(/("+)/)
    .map((part) => (part.startsWith('"') ? `'${part}'` : /^[\w@:,./+=-]*$/.test(part) ? part : `"${part}"`))
    .join("");

const isBelow = (paths: readonly string[], ...roots: string[]): boolean =>
  paths.some((path) => roots.some((root) => `${path}/`.startsWith(`${root}/`)));

export const isInHome = (path: string): boolean => isBelow([path], "/home", "/root", "/run/user");

/** What a printer is before it is connected for the first time. */
const printerClasses = ["char-usb", "char-lp", "char-ttyUSB", "char-ttyACM"];

function deviceLines({ devices, isAny }: Service, texts: Texts["service"]): string[] {
  if (devices.length === 0 && !isAny) return ["PrivateDevices=yes"];
  const known = devices.filter((path) => /^\/dev\/[\w/.:@+-]+$/.test(path));
  return [
    `# ${texts.devices}`,
    "DevicePolicy=closed",
    ...[...known, ...printerClasses].map((device) => `DeviceAllow=${device} rw`),
    "SupplementaryGroups=lp dialout",
  ];
}

function restartLines({ isEndless }: Service, texts: Texts["service"]): string[] {
  const codes = ["SuccessExitStatus=130", "RestartPreventExitStatus=2 4"];
  if (!isEndless) return ["Type=oneshot", ...codes];
  return [
    "Restart=always",
    "RestartSec=10",
    `# ${texts.exitCodes}`,
    ...codes,
    // It ends the commands that it runs by itself.
    "KillMode=mixed",
  ];
}

function fileLines({ folders, paths }: Service, texts: Texts["service"]): string[] {
  return [
    "ProtectSystem=strict",
    ...(folders.length === 0
      ? []
      : [`# ${texts.folders(user)}`, ...folders.map((folder) => `ReadWritePaths=${pathWord(folder)}`)]),
    `ProtectHome=${paths.some(isInHome) ? "read-only" : "yes"}`,
    `PrivateTmp=${isBelow(paths, "/tmp", "/var/tmp") ? "no" : "yes"}`,
    "UMask=0077",
  ];
}

function introduction({ name, command, isEndless }: Service, texts: Texts["service"]): string[] {
  const lines = [
    texts.systemd(command, `/etc/systemd/system/${name}.service`),
    "",
    texts.once,
    `  useradd --system --user-group --home-dir /var/lib/bpos --shell /usr/sbin/nologin ${user}`,
    `  install -d -o ${user} -g ${user} -m 0700 /var/lib/bpos`,
    `  runuser -u ${user} -- env BPOS_HOME=/var/lib/bpos bpos init`,
    isEndless ? texts.enable : texts.start,
    "  systemctl daemon-reload",
    isEndless ? `  systemctl enable --now ${name}` : `  systemctl start ${name}`,
    `  journalctl -u ${name}`,
  ];
  return lines.map((line) => `# ${line}`.trimEnd());
}

export function systemdUnit(service: Service, texts: Texts["service"]): string {
  const { command, argv, isEndless } = service;
  const lines = [
    ...introduction(service, texts),
    "",
    "[Unit]",
    `Description=${command}`,
    "Wants=network-online.target",
    "After=network-online.target",
    "",
    "[Service]",
    `ExecStart=${argv.map(execWord).join(" ")}`,
    ...restartLines(service, texts),
    "",
    `User=${user}`,
    "StateDirectory=bpos",
    "StateDirectoryMode=0700",
    "Environment=BPOS_HOME=%S/bpos",
    `# ${texts.variables}`,
    "EnvironmentFile=-/etc/bpos.env",
    `# ${texts.credential}`,
    "",
    ...fileLines(service, texts),
    ...deviceLines(service, texts),
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "ProtectClock=yes",
    "ProtectControlGroups=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectProc=invisible",
    "RemoveIPC=yes",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "LockPersonality=yes",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
    `# ${texts.jit}`,
    "MemoryDenyWriteExecute=no",
    ...(isEndless ? ["", "[Install]", "WantedBy=multi-user.target"] : []),
  ];
  return `${lines.join("\n")}\n`;
}
