/** What is said of `--health`, `--ping` and `--on-failure` of a command that runs for long. */
export const health = {
  listening: (url: string) => `Health: ${url}/healthz, /livez and /metrics.`,
  anybody: (where: string) =>
    `Whoever can reach ${where} can read how this process fares, and it is not encrypted.`,
  pingFailed: (host: string, why: string) =>
    `The ping to ${host} failed: ${why}. Orders are delivered all the same.`,
};
