import { once } from "node:events";
import { connect } from "node:net";
import { journals } from "../support/journals.ts";

// The killed process is a bridge: the process of Windows ends a moment later.
journals.killed = async (pid) => {
  const socket = connect(Number(process.env["BPOS_WINDOWS_PORT"]), "127.0.0.1");
  socket.write(`${JSON.stringify({ ended: pid })}\n`);
  await once(socket.resume(), "close");
};
