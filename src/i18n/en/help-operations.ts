/** The help of `bpos service …`. */
export const serviceHelp = {
  description: "Run a command as a service of this machine",
  examples: {
    "bpos service print systemd -- orders watch --all-profiles --out-dir /srv/orders":
      "a watch that starts at boot",
  },
  print: {
    description: "Print the file with which systemd, launchd or the Task Scheduler runs a command",
    kind: "systemd, launchd (macOS) or task (Windows)",
    command: "the command and its flags, behind `--` and without `bpos`",
    examples: {
      "bpos service print systemd -- orders watch --all-profiles --out-dir /srv/orders -q":
        "the first lines of the unit say how it is installed",
      "bpos service print launchd -- orders watch --printer tcp://192.168.1.50 -q": "on macOS",
      "bpos service print task -- orders watch --exec order.cmd -q > bpos.xml": "on Windows",
    },
  },
};

/** The help of `bpos openapi`. */
export const openapiHelp = {
  description: "Print the OpenAPI 3.1 description of the service",
  examples: { "bpos openapi > openapi.json": "for your code generator" },
};
