import { posix, win32 } from "node:path";
import type { Runtime } from "../../cli/runtime.ts";
import type { Texts } from "../../i18n/en.ts";
import type { Service } from "./service.ts";

const escapeXml = (text: string): string =>
  text.replace(/[&<>"\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const plistText = (text: string): string => `<string>${escapeXml(text)}</string>`;

/** A property list for `launchd` of macOS. */
export function launchdAgent(
  { name, command, argv, isEndless }: Service,
  texts: Texts["service"],
  { homedir, env }: Runtime["system"],
): string {
  const log = posix.join(homedir, "Library/Logs", `${name}.log`);
  const home = env["BPOS_HOME"];
  // launchd knows only the programs of the system.
  const path = `${posix.dirname(argv[0] ?? "")}:/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`;
  const variables = { PATH: path, ...(home && { BPOS_HOME: home }) };
  const restart = `
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>`;
  const file = `~/Library/LaunchAgents/${name}.plist`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!--
  ${texts.launchd(command, file)}
    launchctl bootstrap gui/$(id -u) ${file}
    launchctl bootout gui/$(id -u)/${name}
  ${texts.daemon(`/Library/LaunchDaemons/${name}.plist`)}
-->
<plist version="1.0">
<dict>
  <key>Label</key>
  ${plistText(name)}
  <key>ProgramArguments</key>
  <array>
${argv.map((word) => `    ${plistText(word)}`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(variables)
  .map(([key, value]) => `    <key>${key}</key>\n    ${plistText(value)}`)
  .join("\n")}
  </dict>
  <key>RunAtLoad</key>
  <${String(isEndless)}/>${isEndless ? restart : ""}
  <key>StandardOutPath</key>
  ${plistText(log)}
  <key>StandardErrorPath</key>
  ${plistText(log)}
</dict>
</plist>
`;
}

/** A part of a word in quotation marks, before which backslashes are doubled. */
const quotedPart = (part: string): string =>
  `"${part.replace(/(\\*)"/g, String.raw`$1$1\"`).replace(/\\+$/, "$&$&")}"`;

/** A word as the programs of Windows take their command line apart. */
function windowsWord(word: string): string {
  if (/^[\w.,:/\\@+=-]+$/.test(word)) return word;
  if (word === "") return '""';
  // Apart from the name behind it, so that the Task Scheduler finds no %VARIABLE% and no $(Arg0) to replace.
  const parts = word.split(/([%$]+)/).filter((part) => part !== "");
  return parts.map((part) => (/^[%$]/.test(part) ? part : quotedPart(part))).join("");
}

/** A task for the Task Scheduler of Windows. In ASCII alone, it is the same in each encoding that a shell writes files in. */
export function windowsTask({ name, command, argv, isEndless }: Service, { env }: Runtime["system"]): string {
  const [program = "", ...words] = argv;
  const owner = env["USERNAME"] && win32.join(env["USERDOMAIN"] ?? ".", env["USERNAME"]);
  // Without a password, for a user who is not logged in; else the system itself.
  const principal = owner
    ? `${escapeXml(owner)}</UserId>\n      <LogonType>S4U</LogonType>`
    : "S-1-5-18</UserId>";
  const boot = `
    <BootTrigger>
      <Repetition>
        <Interval>PT1M</Interval>
      </Repetition>
    </BootTrigger>
  `;
  const text = `<?xml version="1.0"?>
<!-- schtasks /Create /TN ${name} /XML ${name}.xml -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escapeXml(command)}</Description>
  </RegistrationInfo>
  <Triggers>${isEndless ? boot : ""}</Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${principal}
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(program)}</Command>
      <Arguments>${escapeXml(words.map(windowsWord).join(" "))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
  return text.replace(/\P{ASCII}/gu, (sign) => `&#${String(sign.codePointAt(0))};`);
}
