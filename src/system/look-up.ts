import { childProcess } from "./child-process.ts";

/** An address of a host. */
interface HostAddress {
  address: string;
  family: number;
}

/** What looking up a host's name came to. */
export type LookUp =
  | { kind: "found"; addresses: readonly HostAddress[] }
  /** `code` is the operating system's, such as ENOTFOUND. */
  | { kind: "failed"; code: string }
  | { kind: "timeout"; ms: number }
  | { kind: "stopped" };

const script = `require("node:dns").lookup(process.argv[1], { all: true }, (error, addresses) =>
  process.stdout.write(JSON.stringify(error ? { code: error.code } : { addresses })))`;

function readLookUp(text: string): LookUp {
  try {
    const { addresses, code } = JSON.parse(text) as { addresses?: HostAddress[]; code?: string };
    return addresses === undefined
      ? { kind: "failed", code: code ?? "EAI_FAIL" }
      : { kind: "found", addresses };
  } catch {
    return { kind: "failed", code: "EAI_FAIL" };
  }
}

/**
 * Looks a host's name up as every program on this machine does. Never rejects. In a process of its own: a look-up under way
 * cannot be ended otherwise, and would hold this process until the name servers are given up, long after the person is.
 */
export function lookUp(
  host: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<LookUp> {
  if (signal.aborted) return Promise.resolve({ kind: "stopped" });
  return new Promise((resolve) => {
    // `--`: a name may begin with a hyphen.
    const child = childProcess().spawn(process.execPath, ["-e", script, "--", host], {
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    let text = "";
    const settle = (found: LookUp): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      child.kill("SIGKILL");
      resolve(found);
    };
    const onAbort = (): void => settle({ kind: "stopped" });
    const timer = setTimeout(() => settle({ kind: "timeout", ms: timeoutMs }), timeoutMs);
    signal.addEventListener("abort", onAbort);
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.once("error", ({ message }) => settle({ kind: "failed", code: message }));
    child.once("close", () => settle(readLookUp(text)));
  });
}
