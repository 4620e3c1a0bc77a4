// Runs in Node for Windows: starts programs for `bridge.mjs`, each with pipes of Windows for its standard streams. What Wine makes of a pipe or
// a file of Linux, Node cannot write to.
import { spawn } from "node:child_process";
import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

const [, , portFile = ""] = process.argv;

process.on("uncaughtException", (error) => appendFileSync(`${portFile}.log`, `${error.stack}\n`));

/** How long after its end what a program wrote is waited for. */
const pipeGraceMs = 2_000;

/** Running processes, by the process that asked for each. */
const running = new Map();

function start(socket, { id, command, argv, env, cwd, isVerbatim }) {
  const tell = (message) => socket.writable && socket.write(`${JSON.stringify(message)}\n`);
  const child = spawn(command, argv, {
    cwd,
    env: { ...process.env, ...env },
    windowsVerbatimArguments: isVerbatim === true,
  });
  const ended = Promise.withResolvers();
  running.set(id, ended.promise);
  const end = (exit) => {
    running.delete(id);
    tell({ exit });
    socket.end();
    ended.resolve();
  };
  // Whoever started it is gone, by SIGKILL too.
  socket.on("error", () => child.kill()).on("close", () => child.kill());
  child.stdin.on("error", () => undefined);
  child.stdout.on("data", (bytes) => tell({ out: bytes.toString("base64") }));
  child.stderr.on("data", (bytes) => tell({ err: bytes.toString("base64") }));
  child.once("error", (error) => {
    tell({ err: Buffer.from(`${error}\n`).toString("base64") });
    end(127);
  });
  child.once("close", end);
  child.once("exit", (code) => setTimeout(end, pipeGraceMs, code).unref());
  return child;
}

const server = createServer((socket) => {
  let child;
  socket.on("error", () => undefined);
  createInterface({ input: socket }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.command !== undefined) child = start(socket, message);
    else if (message.ended !== undefined)
      void Promise.resolve(running.get(message.ended)).then(() => socket.end());
    else if (message.in === undefined) child.stdin.end();
    else child.stdin.write(Buffer.from(message.in, "base64"));
  });
});

server.listen(0, "127.0.0.1", () => {
  writeFileSync(`${portFile}.part`, `${server.address().port}`);
  renameSync(`${portFile}.part`, portFile);
});
