import type { ChildProcess } from "node:child_process";

/** Whether a child can begin a group of processes, to be ended with all that it started. */
export const hasGroups = (): boolean => process.platform !== "win32";

/** Sends a signal to a child that began a group, and to all of that. */
export function killGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups()) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // It has ended meanwhile.
  }
}
