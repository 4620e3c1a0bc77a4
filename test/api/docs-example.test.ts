import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { describe, expect, it, onTestFinished } from "vitest";
import { examples } from "../../src/contract/examples.ts";
import { on, reply, scriptedServer } from "../support/scripted-server.ts";
import { accepted } from "./harness.ts";

const root = join(import.meta.dirname, "../..");

/** Compiles like tsc; returns what it complains about. */
function compile(files: string[], options: ts.CompilerOptions): string[] {
  const program = ts.createProgram(files, options);
  program.emit();
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, "\n");
    return `${basename(file?.fileName ?? "")}: ${text}`;
  });
}

/** A project that has `bpos` installed, as built from the sources of now. Below node_modules, so that zod and undici are found. */
function projectWithBpos(): string {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const project = mkdtempSync(join(cache, "bpos-docs-"));
  onTestFinished(() => rmSync(project, { recursive: true }));
  const bpos = join(project, "node_modules/bpos");
  mkdirSync(bpos, { recursive: true });
  writeFileSync(join(bpos, "package.json"), readFileSync(join(root, "package.json")));
  writeFileSync(join(project, "package.json"), '{"type":"module"}');

  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.build.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => expect.fail(JSON.stringify(messageText)),
    },
  );
  // Nothing imports the second: it declares a module that has no types.
  const files = ["src/index.ts", "src/mock/index.ts", "src/api/undici-agent.d.ts"].map((name) =>
    join(root, name),
  );
  const errors = compile(files, {
    ...config?.options,
    // The package is bundled; here the compiler makes what the example imports.
    emitDeclarationOnly: false,
    // Whether the sources themselves are right, the build and the check of all types say.
    noCheck: true,
    outDir: join(bpos, "dist"),
  });
  expect(errors).toEqual([]);
  return project;
}

/** A program with every name that the docs and the errors of the package speak of. */
const namesProgram = `
import { type ClientOptions, createClient, LosslessNumber, type OrderState, orderStates } from "bpos";
import { MockDataError, MockRefusal, startMock } from "bpos/mock";

const address = process.env.BPOS_BASE_URL ?? "";
const options: Pick<ClientOptions, "baseUrl" | "campaignsBaseUrl" | "apiKey"> = {
  ...{ baseUrl: address, campaignsBaseUrl: address, apiKey: "bpk_docs" },
};
const client = createClient(options);
const state: OrderState = orderStates[0];
const { body } = await client.listOrders({ status: state });
const total: unknown = body.orders[0]?.total;
console.log(total instanceof LosslessNumber && total.value);
await client.close();
await startMock({ seed: 0.5 }).catch((error: unknown) => console.log(error instanceof MockRefusal && error.status));
const data = process.argv[1] ?? "";
await startMock({ data }).catch((error: unknown) => console.log(error instanceof MockDataError && error.code));
`;

describe("the example of docs/library.md", () => {
  // The compiler alone takes half a minute on a busy machine.
  it("compiles against the package's types, and runs", { timeout: 60_000 }, async () => {
    const [, example = ""] =
      /```ts\n(.*?)```/s.exec(readFileSync(join(root, "docs/library.md"), "utf8")) ?? [];
    const project = projectWithBpos();
    const options: ts.CompilerOptions = {
      strict: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: ["node"],
    };
    writeFileSync(join(project, "example.ts"), example);
    // Types that were not found would accept anything, so a mistake has to be noticed.
    writeFileSync(join(project, "mistake.ts"), example.replace("precio: 9000", 'precio: "9000"'));
    writeFileSync(join(project, "names.ts"), namesProgram);
    const files = ["example.ts", "mistake.ts", "names.ts"].map((name) => join(project, name));
    expect(compile(files, options)).toEqual([
      "mistake.ts: Type 'string' is not assignable to type 'number'.",
    ]);

    const orders = JSON.stringify(examples.listOrders.response).replace(
      /"total":[\d.]+,"lin/,
      '"total":0.12345678901234567890,"lin',
    );
    const server = await scriptedServer(
      on("POST /v1/catalog/items", reply(accepted)),
      on("GET /v1/orders", reply(examples.listOrders.response)),
      on("GET /v1/orders", reply(orders)),
    );
    const run = (program: string) =>
      promisify(execFile)(process.execPath, [join(project, program)], {
        env: { BPOS_BASE_URL: server.url, BPOS_API_KEY: "bpk_docs" },
      });
    const { stdout, stderr } = await run("example.js");
    expect(stdout).toBe("1 accepted\n1042: Ana Gómez pays 9700\n");
    expect(stderr).toBe("");
    expect((await run("names.js")).stdout).toBe("0.12345678901234567890\n400\nMOCK_DATA_REFUSED\n");
    expect(new Set(server.requests.map(({ headers }) => headers["x-api-key"]))).toEqual(
      new Set(["bpk_docs"]),
    );
  });
});
