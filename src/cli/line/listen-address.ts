import type { Value } from "./flags.ts";

/** Where a server of ours listens. */
export interface ListenAddress {
  host: string;
  port: number;
}

/** `[HOST:]PORT`; without a host, this machine alone reaches it. An address of IPv6 is in brackets. */
export const listenAddress: Value<ListenAddress> = {
  read(text, refuse) {
    const [, bracketed, name, digits = ""] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d+)$/.exec(text) ?? [];
    const port = digits === "" ? Number.NaN : Number(digits);
    if (port <= 65_535) return { host: bracketed ?? name ?? "127.0.0.1", port };
    return refuse({ kind: "not_whole", text, min: 0, max: 65_535 });
  },
};
