import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs, { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { quarantineOrder, writeOrderFile } from "../../src/delivery/outputs.ts";
import { isReason } from "../../src/errors.ts";
import { temporaryFolder } from "../support/run.ts";

const text = '{"order_id":17,"created_at":1767265200000,"status":"pendiente"}\n';
const read = (folder: string, name = "17.json"): string => readFileSync(join(folder, name), "utf8");
const modeOf = (path: string): number => statSync(path).mode & 0o777;

const temporaryOf = (content: string): string =>
  `.${createHash("sha256").update(content).digest("hex").slice(0, 16)}.tmp`;

/** What `work` throws. */
function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it did not throw");
}

/** Puts other functions into node:fs until the test ends, or until what is returned is called. */
function replaceInFs(functions: Record<string, unknown>): () => void {
  const before = Object.fromEntries(Object.entries(fs).filter(([name]) => name in functions));
  const put = (those: Record<string, unknown>): void => {
    Object.assign(fs, those);
    syncBuiltinESMExports();
  };
  put(functions);
  const mend = (): void => put(before);
  onTestFinished(mend);
  return mend;
}

describe("an order's file", () => {
  it("is whole, for its owner only, and all that is left in the folder", () => {
    const folder = temporaryFolder();
    writeOrderFile(folder, "17", text);
    writeOrderFile(folder, "-5_aB", text);
    expect(readdirSync(folder).sort()).toEqual(["-5_aB.json", "17.json"]);
    expect(read(folder)).toBe(text);
    expect(modeOf(join(folder, "17.json"))).toBe(0o600);
  });

  it("gets its name when the disk has it, and the name is made durable too", () => {
    const seen: string[] = [];
    const noting = ["openSync", "writeFileSync", "fsyncSync", "renameSync", "closeSync"].map((name) => {
      const act = fs[name as "openSync"] as (...given: unknown[]) => unknown;
      const noted = (...given: unknown[]): unknown => {
        seen.push(name.replace("Sync", ""));
        return act(...given);
      };
      return [name, noted] as const;
    });
    const folder = temporaryFolder();
    replaceInFs(Object.fromEntries(noting));
    writeOrderFile(folder, "17", text);
    const steps = ["open", "open", "writeFile", "fsync", "close", "rename", "open", "fsync", "close"];
    expect(seen).toEqual(steps);
  });

  it.each([
    ["the same text", text],
    ["the same order in another state", text.replace("pendiente", "listo")],
    ["the same order, indented by somebody", JSON.stringify(JSON.parse(text), null, 2)],
  ])("that holds %s is enough and stays as it is", (_name, other) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "17.json"), other);
    writeOrderFile(folder, "17", text);
    expect(read(folder)).toBe(other);
    expect(readdirSync(folder)).toEqual(["17.json"]);
  });

  it.each([
    ["half an order", text.slice(0, 30)],
    ["null", "null"],
    ["nothing", ""],
  ])("that holds %s is never written over", (_name, other) => {
    const folder = temporaryFolder();
    const file = join(folder, "17.json");
    writeFileSync(file, other);
    const error = thrown(() => writeOrderFile(folder, "17", text));
    expect(isReason(error, "order_file_taken") && error.facts).toEqual({ file });
    expect(read(folder)).toBe(other);
    expect(readdirSync(folder)).toEqual(["17.json"]);
  });

  it.each([
    ["an order of another day", text.replace("17672652", "17672653")],
    ["an order that does not say when it was created", '{"order_id":17}'],
    ["another order", text.replace(":17,", ":18,")],
  ])("that holds %s stays, and the order gets the next name, once", (_name, other) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "17.json"), other);
    writeOrderFile(folder, "17", text);
    writeOrderFile(folder, "17", text);
    expect(readdirSync(folder).sort()).toEqual(["17-2.json", "17.json"]);
    expect([read(folder), read(folder, "17-2.json")]).toEqual([other, text]);
  });

  it.each(["openSync", "writeFileSync", "fsyncSync", "renameSync"] as const)(
    "is not there when %s fails, and is written at the next try",
    (step) => {
      const folder = temporaryFolder();
      const mend = replaceInFs({
        [step]: () => {
          throw Object.assign(new Error("ENOSPC: the disk"), { code: "ENOSPC" });
        },
      });
      const error = thrown(() => writeOrderFile(folder, "17", text));
      mend();
      expect(isReason(error, "output_unwritable") && error.facts).toEqual({
        file: join(folder, "17.json"),
        detail: "ENOSPC: the disk",
      });
      // What a crash at this step leaves is hidden, is no .json, and may be longer than what belongs there.
      const left = readdirSync(folder);
      for (const name of left) {
        expect(name).toMatch(/^\..*\.tmp$/);
        writeFileSync(join(folder, name), "x".repeat(1000));
      }
      expect(left).toHaveLength(step === "openSync" ? 0 : 1);
      writeOrderFile(folder, "17", text);
      expect(readdirSync(folder)).toEqual(["17.json"]);
      expect(read(folder)).toBe(text);
    },
  );

  it("is refused where a FIFO or a folder has its name, which is not waited for", () => {
    const folder = temporaryFolder();
    execFileSync("mkfifo", [join(folder, "17.json")]);
    mkdirSync(join(folder, "18.json"));
    for (const id of ["17", "18"])
      expect(thrown(() => writeOrderFile(folder, id, text))).toSatisfy((error) =>
        isReason(error, "order_file_taken"),
      );
    // What it is written to before it has its name may be one, too.
    const twin = temporaryFolder();
    writeOrderFile(twin, "19", text);
    execFileSync("mkfifo", [join(twin, temporaryOf(text))]);
    expect(thrown(() => writeOrderFile(twin, "20", text))).toSatisfy((error) =>
      isReason(error, "output_unwritable"),
    );
  });

  it("makes no folder, and says that there is none", () => {
    const folder = join(temporaryFolder(), "gone");
    expect(
      isReason(
        thrown(() => writeOrderFile(folder, "17", text)),
        "output_unwritable",
      ),
    ).toBe(true);
    writeFileSync(folder, "a file");
    expect(
      isReason(
        thrown(() => writeOrderFile(folder, "17", text)),
        "output_unwritable",
      ),
    ).toBe(true);
    expect(readFileSync(folder, "utf8")).toBe("a file");
  });
});

describe("an order without a usable id", () => {
  it("is kept once, each in a file of its own, in a folder for its owner only", () => {
    const folder = join(temporaryFolder(), "state", "quarantine");
    const first = quarantineOrder(folder, "a", '{"order_id":null}')!;
    expect(quarantineOrder(folder, "a", '{"order_id":null,"at":2}')).toBe(first);
    const second = quarantineOrder(folder, "b", '{"order_id":1.5}')!;
    expect(readdirSync(folder)).toHaveLength(2);
    expect(first.slice(folder.length)).toMatch(/^[/\\][0-9a-f]{16}\.json$/);
    expect(readFileSync(first, "utf8")).toBe('{"order_id":null}');
    expect(readFileSync(second, "utf8")).toBe('{"order_id":1.5}');
    expect([modeOf(folder), modeOf(first)]).toEqual([0o700, 0o600]);
  });

  it("that cannot be kept is an error", () => {
    const folder = join(temporaryFolder(), "quarantine");
    writeFileSync(folder, "");
    expect(
      isReason(
        thrown(() => quarantineOrder(folder, "a", "{}")),
        "output_unwritable",
      ),
    ).toBe(true);
  });
});
