import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import type { RunningMock } from "../../src/mock/index.ts";
import { demoKey } from "./support.ts";

/** Returns what came back, as far as it came. */
export interface RawAnswer {
  /** 0 when no answer came. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The code of the connection's error; undefined when the answer came whole. */
  error: string | undefined;
}

/** A request that shows resets and broken answers. A body makes it a POST of JSON. */
export function raw(
  url: string,
  { body, method, headers = {} }: { body?: unknown; method?: string; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const answer: RawAnswer = { status: 0, headers: {}, text: "", error: undefined };
    const finish = (error?: NodeJS.ErrnoException): void => {
      resolve({ ...answer, error: error?.code });
    };
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    const out = request(
      url,
      {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { "X-API-Key": demoKey, ...type, ...headers },
        agent: false,
      },
      (incoming) => {
        answer.status = incoming.statusCode ?? 0;
        answer.headers = incoming.headers;
        incoming.on("data", (chunk: Buffer) => (answer.text += chunk.toString()));
        incoming.on("end", () => finish());
        incoming.on("error", finish);
      },
    );
    out.on("error", finish);
    out.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Everything that the mock says to these bytes until the connection ends. */
export function talk(mock: RunningMock, ...parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = "";
    const socket = connect(Number(new URL(mock.baseUrl).port), "127.0.0.1", () => {
      for (const part of parts) socket.write(part);
    });
    socket.on("data", (chunk) => (got += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => {
      resolve(got);
    });
  });
}

/** The answers in what `talk` returned: status and JSON body each. */
export function answersIn(text: string): { status: number; body: unknown }[] {
  const answers: { status: number; body: unknown }[] = [];
  for (let rest = text; rest !== ""; ) {
    const [head = ""] = rest.split("\r\n\r\n", 1);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    const body = rest.slice(head.length + 4, head.length + 4 + length);
    answers.push({ status: Number(head.split(" ")[1]), body: JSON.parse(body) });
    rest = rest.slice(head.length + 4 + length);
  }
  return answers;
}
