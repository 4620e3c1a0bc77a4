import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs, {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { keepInQuarantine, writeOrderFile } from "../../src/delivery/outputs.ts";
import { isReason } from "../../src/errors.ts";
import { openMemoryJournal } from "../../src/journal/journal.ts";
import { temporaryFolder } from "../support/run.ts";

const text = '{"order_id":17,"created_at":1767265200000,"status":"pendiente"}\n';
const read = (folder: string, name = "17.json"): string => readFileSync(join(folder, name), "utf8");
const modeOf = (path: string): number => statSync(path).mode & 0o777;

const branch = "branch";
const temporaryOf = (content: string): string =>
  `.${createHash("sha256")
    .update(branch + content)
    .digest("hex")
    .slice(0, 16)}.tmp`;

/** Writes orders as a branch with this journal does. */
function writer({ orderFiles } = openMemoryJournal(), of = branch) {
  return (folder: string, orderId: string, content: string, { isRepeated = false } = {}) =>
    writeOrderFile(folder, { orderId, key: orderId, branch: of, text: content, isRepeated }, orderFiles);
}
/** As a branch that has written nothing before. */
const write = (folder: string, orderId: string, content: string) => writer()(folder, orderId, content);

/** Returns what `work` throws. */
async function thrown(work: () => unknown): Promise<unknown> {
  try {
    await work();
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
  it("is whole, for its owner only, and all that is left in the folder", async () => {
    const folder = temporaryFolder();
    await write(folder, "17", text);
    await write(folder, "-5_aB", text);
    expect(readdirSync(folder).sort()).toEqual(["-5_aB.json", "17.json"]);
    expect(read(folder)).toBe(text);
    expect(modeOf(join(folder, "17.json"))).toBe(0o600);
  });

  it("gets its name when the disk has it, and the name is made durable too", async () => {
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
    await write(folder, "17", text);
    // It reads whether an earlier try was killed, and whether there is such a file; then come the steps.
    const steps = ["open", "open", "open", "writeFile", "fsync", "close", "rename", "open", "fsync", "close"];
    expect(seen).toEqual(steps);
  });

  it.each([
    ["the same text", text],
    ["the same order in another state", text.replace("pendiente", "listo")],
    ["the same order, indented by somebody", JSON.stringify(JSON.parse(text), null, 2)],
  ])("that was written before and holds %s is enough and stays as it is", async (_name, other) => {
    const folder = temporaryFolder();
    const again = writer();
    await again(folder, "17", text);
    writeFileSync(join(folder, "17.json"), other);
    await again(folder, "17", text);
    await again(folder, "17", text, { isRepeated: true });
    expect(read(folder)).toBe(other);
    expect(readdirSync(folder)).toEqual(["17.json"]);
  });

  it("that a journal which is gone has written is enough, and not one that differs from it", async () => {
    const folder = temporaryFolder();
    await write(folder, "17", text);
    await write(folder, "17", text);
    expect(readdirSync(folder)).toEqual(["17.json"]);
    const other = text.replace("pendiente", "listo");
    await write(folder, "17", other);
    expect([read(folder), read(folder, "17-2.json")]).toEqual([text, other]);
  });

  it("of another branch is never taken for its own, whatever was killed when", async () => {
    const folder = temporaryFolder();
    const journal = openMemoryJournal();
    const [ours, theirs] = [writer(journal), writer(journal, "another branch")];
    await theirs(folder, "17", text);
    // The very same bytes, as two rehearsals have them.
    await ours(folder, "17", text, { isRepeated: true });
    await theirs(folder, "17", text, { isRepeated: true });
    await ours(folder, "17", text);
    expect(readdirSync(folder).sort()).toEqual(["17-2.json", "17.json"]);
    // Once the file is collected, its name is free.
    rmSync(join(folder, "17.json"));
    await ours(folder, "18", text.replace(":17,", ":18,"));
    rmSync(join(folder, "18.json"));
    await theirs(folder, "18", text.replace(":17,", ":18,"));
    expect(readdirSync(folder).sort()).toEqual(["17-2.json", "18.json"]);
  });

  it("that somebody collected before it was noted comes again under a name that says so", async () => {
    const folder = temporaryFolder();
    const again = writer();
    await again(folder, "17", text);
    rmSync(join(folder, "17.json"));
    await again(folder, "17", text, { isRepeated: true });
    await again(folder, "17", text, { isRepeated: true });
    expect(readdirSync(folder)).toEqual(["17-repeated.json"]);
    rmSync(join(folder, "17-repeated.json"));
    await again(folder, "17", text, { isRepeated: true });
    expect(readdirSync(folder)).toEqual(["17-repeated.json"]);
  });

  it("that was never written, because the try was killed before, comes under its own name", async () => {
    const folder = temporaryFolder();
    const again = writer();
    await again(folder, "16", text.replace(":17,", ":16,"), { isRepeated: true });
    // Its name was taken, and then it was killed.
    await again(folder, "17", text);
    renameSync(join(folder, "17.json"), join(folder, temporaryOf(text)));
    await again(folder, "17", text, { isRepeated: true });
    expect(readdirSync(folder).sort()).toEqual(["16.json", "17.json"]);
  });

  it.each([
    ["half an order", text.slice(0, 30)],
    ["null", "null"],
    ["nothing", ""],
  ])("that holds %s is never written over", async (_name, other) => {
    const folder = temporaryFolder();
    const file = join(folder, "17.json");
    writeFileSync(file, other);
    const error = await thrown(() => write(folder, "17", text));
    expect(isReason(error, "order_file_taken") && error.facts).toEqual({ file });
    expect(read(folder)).toBe(other);
    expect(readdirSync(folder)).toEqual(["17.json"]);
  });

  it.each([
    ["an order of another day", text.replace("17672652", "17672653")],
    ["an order that does not say when it was created", '{"order_id":17}'],
    ["another order", text.replace(":17,", ":18,")],
  ])("that holds %s stays, and the order gets the next name, once", async (_name, other) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "17.json"), other);
    await write(folder, "17", text);
    await write(folder, "17", text);
    expect(readdirSync(folder).sort()).toEqual(["17-2.json", "17.json"]);
    expect([read(folder), read(folder, "17-2.json")]).toEqual([other, text]);
  });

  it.each(["openSync", "writeFileSync", "fsyncSync", "renameSync"] as const)(
    "is not there when %s fails, and is written at the next try",
    async (step) => {
      const folder = temporaryFolder();
      const mend = replaceInFs({
        [step]: () => {
          throw Object.assign(new Error("ENOSPC: the disk"), { code: "ENOSPC", syscall: "write" });
        },
      });
      const error = await thrown(() => write(folder, "17", text));
      mend();
      expect(isReason(error, "output_unwritable") && error.facts).toEqual({
        file: join(folder, "17.json"),
        detail: "ENOSPC: the disk",
      });
      // A crash at this step leaves a hidden file, no .json, which may be longer than what belongs there.
      const left = readdirSync(folder);
      for (const name of left) {
        expect(name).toMatch(/^\..*\.tmp$/);
        writeFileSync(join(folder, name), "x".repeat(1000));
      }
      expect(left).toHaveLength(step === "openSync" ? 0 : 1);
      await write(folder, "17", text);
      expect(readdirSync(folder)).toEqual(["17.json"]);
      expect(read(folder)).toBe(text);
    },
  );

  it("is refused where a FIFO or a folder has its name, which is not waited for", async () => {
    const folder = temporaryFolder();
    execFileSync("mkfifo", [join(folder, "17.json")]);
    mkdirSync(join(folder, "18.json"));
    for (const id of ["17", "18"])
      expect(await thrown(() => write(folder, id, text))).toSatisfy((error) =>
        isReason(error, "order_file_taken"),
      );
    // The file that it is written to before it has its name may be one, too.
    const twin = temporaryFolder();
    await write(twin, "19", text);
    execFileSync("mkfifo", [join(twin, temporaryOf(text))]);
    expect(await thrown(() => write(twin, "20", text))).toSatisfy((error) =>
      isReason(error, "output_unwritable"),
    );
  });

  it("makes no folder, and says that there is none", async () => {
    const folder = join(temporaryFolder(), "gone");
    expect(isReason(await thrown(() => write(folder, "17", text)), "output_unwritable")).toBe(true);
    writeFileSync(folder, "a file");
    expect(isReason(await thrown(() => write(folder, "17", text)), "output_unwritable")).toBe(true);
    expect(readFileSync(folder, "utf8")).toBe("a file");
  });
});

describe("an order without a usable id", () => {
  it("is kept once, each in a file of its own, in a folder for its owner only", () => {
    const folder = join(temporaryFolder(), "state", "quarantine");
    const first = keepInQuarantine(folder, "a", '{"order_id":null}')!;
    expect(keepInQuarantine(folder, "a", '{"order_id":null,"at":2}')).toBe(first);
    const second = keepInQuarantine(folder, "b", '{"order_id":1.5}')!;
    expect(readdirSync(folder)).toHaveLength(2);
    expect(first.slice(folder.length)).toMatch(/^[/\\][0-9a-f]{16}\.json$/);
    expect(readFileSync(first, "utf8")).toBe('{"order_id":null}');
    expect(readFileSync(second, "utf8")).toBe('{"order_id":1.5}');
    expect([modeOf(folder), modeOf(first)]).toEqual([0o700, 0o600]);
  });

  it("that cannot be kept is an error", async () => {
    const folder = join(temporaryFolder(), "quarantine");
    writeFileSync(folder, "");
    expect(isReason(await thrown(() => keepInQuarantine(folder, "a", "{}")), "output_unwritable")).toBe(true);
  });
});
