import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runBinary } from "../support/binary.ts";
import { driveC, folderOnC, toWindows, userOfWindows } from "./windows.ts";

/** Shares of this machine, as Wine finds them: a printer's is a file. */
function folderOfShares(): string {
  const unc = join(driveC, "../dosdevices/unc");
  const folder = join(unc, "localhost");
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(unc, { recursive: true }));
  return folder;
}

it("prints to a serial port, and to a file with a space and letters of no code page, the same bytes", async () => {
  const folder = folderOnC();
  const user = userOfWindows(folder);
  const [file, port] = [join(folder, "papel ł.bin"), join(folder, "com3")];
  writeFileSync(port, "");
  const link = join(driveC, "../dosdevices/com3");
  symlinkSync(port, link);
  onTestFinished(() => rmSync(link));
  const one = await runBinary(["printer", "test", `file:${toWindows(file)}`], { env: user });
  expect(one.code, one.stderr).toBe(0);
  const two = await runBinary(["printer", "test", String.raw`file:\\.\COM3`], { env: user });
  expect(two.code, two.stderr).toBe(0);
  expect(readFileSync(port)).toEqual(readFileSync(file));
  const none = await runBinary(["printer", "test", String.raw`file:\\.\COM9`], { env: user });
  expect(none.code, none.stderr).toBe(6);
  expect(none.stderr).toContain("ENOENT");
});

it.each([String.raw`\\localhost\Caja ñ 80`, "//LOCALHOST/Caja ñ 80"])(
  "prints on the shared printer %s, each receipt a job of its own",
  async (address) => {
    const user = userOfWindows();
    const [file, printer] = [join(folderOnC(), "paper"), join(folderOfShares(), "Caja ñ 80")];
    writeFileSync(printer, "the job before");
    const asFile = await runBinary(["printer", "test", `file:${toWindows(file)}`], { env: user });
    expect(asFile.code, asFile.stderr).toBe(0);
    const { code, stderr } = await runBinary(["printer", "test", `file:${address}`], { env: user });
    expect(code, stderr).toBe(0);
    expect(readFileSync(printer)).toEqual(readFileSync(file));
  },
);

it.each([
  // It cannot be synced, and has taken everything.
  ["null", 0, "was sent to"],
  ["full", 6, "Part of it might be printed."],
  ["gone", 6, "Nothing was printed."],
])("prints on a shared printer that is %s: %i", async (name, exit, said) => {
  const share = join(folderOfShares(), name);
  if (name === "gone") symlinkSync("/nowhere/gone", share);
  else symlinkSync(`/dev/${name}`, share);
  const argv = ["printer", "test", `file:\\\\localhost\\${name}`];
  const { code, stdout, stderr } = await runBinary(argv, { env: userOfWindows() });
  expect(code, stderr).toBe(exit);
  expect(stdout + stderr).toContain(said);
});
