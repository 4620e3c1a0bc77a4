import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runBinary } from "../support/binary.ts";
import { driveC, folderOnC, toWindows, userOfWindows } from "./windows.ts";

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
