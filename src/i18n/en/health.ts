/** What is said of `--health` and `--ping` of `bpos orders watch`. */
export const health = {
  listening: (url: string) => `Health: ${url}/healthz, /livez and /metrics.`,
  anybody: (where: string) =>
    `Whoever can reach ${where} can read how this process fares, and it is not encrypted.`,
  pingFailed: (host: string, why: string) =>
    `The ping to ${host} failed: ${why}. Orders are delivered all the same.`,
};
