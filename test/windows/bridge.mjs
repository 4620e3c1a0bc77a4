// Stands for bpos.exe, or what BPOS_WINDOWS_EXE names, on Linux: has it started by `agent.mjs`, and passes on arguments, environment, standard
// streams and exit code. Ended by a signal, it ends the other.
import { connect } from "node:net";
import { createInterface } from "node:readline";

const {
  BPOS_WINDOWS_PORT: port,
  BPOS_WINDOWS_EXE: command,
  BPOS_WINDOWS_VERBATIM: verbatim,
  WINEPREFIX: prefix,
  ...own
} = process.env;

// These belong to Linux, and are no business of a program of Windows.
const { PATH: _path, NODE_COMPILE_CACHE: _cache, PWD: _pwd, OLDPWD: _old, SHLVL: _level, _, ...env } = own;

/** As a program of Windows finds it. */
function toWindows(path) {
  const drive = `${prefix}/drive_c`;
  const [letter, rest] = path.startsWith(`${drive}/`) ? ["C", path.slice(drive.length)] : ["Z", path];
  return `${letter}:${rest.replaceAll("/", "\\")}`;
}

const socket = connect(Number(port), "127.0.0.1");
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);
const isVerbatim = verbatim === "1";
tell({
  id: process.pid,
  command,
  argv: process.argv.slice(2),
  env,
  cwd: toWindows(process.cwd()),
  isVerbatim,
});
process.stdin
  .on("data", (bytes) => tell({ in: bytes.toString("base64") }))
  .on("end", () => tell({ in: undefined }));
process.stdout.on("error", () => process.exit(0));
process.exitCode = 70;
createInterface({ input: socket })
  .on("line", (line) => {
    const { out, err, exit } = JSON.parse(line);
    if (out !== undefined) process.stdout.write(Buffer.from(out, "base64"));
    if (err !== undefined) process.stderr.write(Buffer.from(err, "base64"));
    if (exit !== undefined) process.exitCode = exit;
  })
  .on("close", () => process.stdin.destroy());
