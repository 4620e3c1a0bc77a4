import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inBash } from "../support/binary.ts";
import { temporaryFolder } from "../support/run.ts";

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

it("completes in bash, and a hostile name comes back as the one word that it is", async () => {
  const folder = temporaryFolder();
  const home = join(folder, "home");
  mkdirSync(home);
  const profiles = Object.fromEntries([...hostile, "esc\u001b[2J"].map((name) => [name, {}]));
  writeFileSync(join(home, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
  const { stdout, stderr, code } = await inBash(script, { cwd: folder, env: { BPOS_HOME: home } });
  expect(code, stderr).toBe(0);
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
