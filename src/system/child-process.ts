type ChildProcessModule = typeof import("node:child_process");

/** The module that starts processes, loaded when the first one starts: most commands start none. */
export const childProcess = (): ChildProcessModule => process.getBuiltinModule("node:child_process");
