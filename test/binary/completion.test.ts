import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, temporaryFolder } from "../support/run.ts";

const hostile = ["a b", "$(touch pwned)", "`touch pwned`", "x'y", 'q"q', "!1", "*"];

/** For each line of words what bash would offer, and for each offer what it stands for on a command line. */
const script = `
eval "$(bpos completion bash)" || exit 1
complete -p bpos >&2
ask() {
  COMP_WORDS=(bpos "$@"); COMP_CWORD=$#
  _bpos
  printf '%s\\0' "\${COMPREPLY[@]}"
  printf '%s\\0' --
}
ask ord
ask orders list --output = j
ask -p ''
for offer in "\${COMPREPLY[@]}"; do eval "printf '%s\\\\0' $offer"; done
`;

it("completes in bash, and a hostile name comes back as the one word that it is", () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  const profiles = Object.fromEntries([...hostile, "esc\u001b[2J"].map((name) => [name, {}]));
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const command = join(folder, "bpos");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(root, "bin/bpos.js")}" "$@"\n`);
  chmodSync(command, 0o755);
  const { stdout, stderr, status } = spawnSync("bash", ["--norc", "--noprofile", "-c", script], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, BPOS_HOME: home },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  expect(stderr).toContain("-F _bpos bpos");
  const [commands, formats, offers, ...names] = stdout
    .split("\0--\0")
    .flatMap((part, index) => (index < 3 ? [part] : part.split("\0")));
  expect(commands).toBe("orders");
  expect(formats).toBe("json");
  expect(offers?.split("\0")).toHaveLength(hostile.length);
  expect(names.filter((name) => name !== "")).toEqual(hostile);
  expect(existsSync(join(folder, "pwned"))).toBe(false);
});
