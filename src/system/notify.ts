import { spawn } from "node:child_process";
import { childEnv, windowsProgram } from "./child-env.ts";

/** A desktop notification: plain text, whatever stands in it. */
export type Note = Record<"title" | "body", string>;

interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/** The result of showing one; `absent` if the desktop's program is missing, `detail` is the message of a program that failed. */
export interface NoteEnd {
  state: "shown" | "absent" | "failed";
  program: string;
  detail: string;
}

const maxText = 200;
const timeoutMs = 10_000;
/** How long bpos waits for output after a program ended: a process that it left running may hold the pipe. */
const pipeGraceMs = 50;

/** The texts come from the environment: in the command line they would be code, in the XML markup. */
const toast = `$ErrorActionPreference = 'Stop'
$m = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$x = $m::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType, Windows.UI.Notifications, ContentType = WindowsRuntime]::ToastText02)
$t = $x.GetElementsByTagName('text')
$null = $t.Item(0).AppendChild($x.CreateTextNode($env:BPOS_NOTE_TITLE))
$null = $t.Item(1).AppendChild($x.CreateTextNode($env:BPOS_NOTE_BODY))
$id = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
$m::CreateToastNotifier($id).Show([Windows.UI.Notifications.ToastNotification, Windows.UI.Notifications, ContentType = WindowsRuntime]::new($x))`;

/** A body may hold markup, and notify-send reads backslashes: `\\074b\\076` would be a tag too. */
const asMarkup = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\\", String.raw`\\`);

type Call = { program: string; args: string[]; env?: Record<string, string> };

function buildCall({ platform, env }: Machine, { title, body }: Note): Call {
  if (platform === "darwin") {
    const script = [
      "on run argv",
      "display notification (item 2 of argv) with title (item 1 of argv)",
      "end run",
    ];
    return { program: "osascript", args: [...script.flatMap((line) => ["-e", line]), title, body] };
  }
  if (platform !== "win32")
    return { program: "notify-send", args: ["--app-name=bpos", "--", title, asMarkup(body)] };
  const args = [
    "-NoProfile",
    "-NonInteractive",
    "-EncodedCommand",
    Buffer.from(toast, "utf16le").toString("base64"),
  ];
  const program = windowsProgram(env, "WindowsPowerShell", "v1.0", "powershell.exe");
  return { program, args, env: { BPOS_NOTE_TITLE: title, BPOS_NOTE_BODY: body } };
}

/** Shows a desktop notification, whose title begins with a word of ours, by the program that the system has for it. Never rejects; ends within ten seconds. */
export function showNote({ title, body }: Note, signal: AbortSignal, machine: Machine): Promise<NoteEnd> {
  const short = (text: string): string => Array.from(text).slice(0, maxText).join("");
  const { program, args, env: texts } = buildCall(machine, { title: short(title), body: short(body) });
  return new Promise<NoteEnd>((resolve, reject) => {
    let said = "";
    // Its own group: Ctrl-C in the terminal is not meant for it.
    const child = spawn(program, args, {
      env: childEnv(machine.env, texts),
      detached: machine.platform !== "win32",
      windowsHide: true,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      signal,
    });
    child.once("error", reject);
    child.stderr.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(0, maxText)));
    const end = (state: NoteEnd["state"]): void => resolve({ state, program, detail: said.trim() });
    child.once("exit", (code) => setTimeout(end, pipeGraceMs, code === 0 ? "shown" : "failed"));
  }).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    return { state: code === "ENOENT" ? "absent" : "failed", program, detail: message };
  });
}
