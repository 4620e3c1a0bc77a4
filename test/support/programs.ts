import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./run.ts";
import { listening } from "./server.ts";

/** The command line that runs a Node.js program. */
export function program(code: string): string {
  const file = join(temporaryFolder(), "program.cjs");
  writeFileSync(file, code);
  return `"${process.execPath}" "${file}"`;
}

/** A place where processes announce themselves; one that dies closes its connection. */
export async function meetingPoint(): Promise<{
  /** The command line of a process that comes here and stays until it is told `exit N`, or this test ends. */
  comer: (options?: { stubborn?: boolean }) => string;
  come: (count: number) => Promise<Socket[]>;
}> {
  const here: Socket[] = [];
  let tell = (): void => undefined;
  const server = createServer((socket) => {
    here.push(socket.on("error", () => undefined));
    tell();
  });
  const port = await listening(server);
  onTestFinished(() => {
    for (const socket of here) socket.destroy();
  });
  return {
    comer: ({ stubborn = false } = {}) =>
      program(`
        if (${stubborn}) process.on("SIGTERM", () => undefined);
        const socket = require("node:net").connect(${port}, "127.0.0.1");
        socket.on("error", () => undefined).on("close", () => process.exit(9)).on("data", (word) => {
          const [, code] = /^exit (.*)/.exec(word) ?? [];
          if (code !== undefined) process.exit(Number(code));
          process.stdout.write("still here", (error) => socket.write(error ? "lost" : "said"));
        });`),
    come: (count) =>
      new Promise((resolve) => {
        tell = () => {
          if (here.length >= count) resolve(here);
        };
        tell();
      }),
  };
}
/** Returns the next output of a process; nothing when it dies. */
export const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    if (socket.closed) resolve("");
    socket.once("data", (word) => resolve(word.toString())).once("close", () => resolve(""));
  });
