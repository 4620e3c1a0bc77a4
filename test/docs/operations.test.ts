import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, shell } from "../support/run.ts";

it.each([
  ["kubernetes.yaml", /^ *args: (\[.*\])$/m, ["/livez", "/healthz"]],
  ["compose.yaml", /^ *command: (\[.*\])$/m, ["/healthz"]],
])(
  "docs/operations/%s runs a command that bpos takes, and asks for its health",
  async (name, form, paths) => {
    const text = readFileSync(join(root, "docs/operations", name), "utf8");
    const words = JSON.parse(form.exec(text)?.[1] ?? "[]") as string[];
    const health = words.indexOf("--health");
    const [, port = ""] = /^0\.0\.0\.0:(\d+)$/.exec(words[health + 1] ?? "") ?? [];
    expect(new Set(text.match(/\b9\d{3}\b/g))).toEqual(new Set([port]));
    for (const path of paths) expect(text).toContain(path);

    words.splice(health, 2);
    const run = await shell()(["service", "print", "systemd", "--", ...words]);
    expect(run).toMatchObject({ code: 0, stderr: "" });
  },
);
