import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { shell } from "../../support/run.ts";

const env = { NO_COLOR: "1" };
const scene = /^\d\. .*\n\$ bpos --mock /gm;

it.each(["Enter", "Ctrl-C"])(
  "bpos demo on a terminal goes on at each Enter, and leaves its console open until %s",
  async (end) => {
    const stdin = new PassThrough();
    const scenesAtHints: number[] = [];
    let world: unknown;
    const { code, stdout } = await shell()(["demo"], {
      ...{ env, stdin, terminal: 120 },
      async onOutput(text, stop) {
        if (text.endsWith("\nEnter: next scene · Ctrl-C: end")) {
          scenesAtHints.push(text.match(scene)?.length ?? 0);
          stdin.write("\n");
        }
        if (!text.endsWith("\nEnter: end")) return;
        const [url = ""] = /http:\S+/.exec(text.slice(text.lastIndexOf("Its console"))) ?? [];
        world = await (await fetch(`${url}_mock/world`)).json();
        if (end === "Enter") stdin.write("\n");
        else stop();
      },
    });
    expect(code).toBe(0);
    expect(scenesAtHints).toEqual([1, 2, 3, 4, 5]);
    expect(stdout.match(scene)).toHaveLength(6);
    // What is looked at moves on.
    expect(world).toMatchObject({ frozen: false, scenario: "demo" });
  },
);

it("bpos demo is interrupted by Ctrl-C between two scenes", async () => {
  const { code, stdout } = await shell()(["demo"], {
    ...{ env, stdin: new PassThrough(), terminal: 120 },
    onOutput: (text, stop) => {
      if (text.endsWith("Ctrl-C: end")) stop();
    },
  });
  expect(code).toBe(130);
  expect(stdout.match(scene)).toHaveLength(1);
});

it("bpos demo --yes waits for nobody", async () => {
  const { code, stdout } = await shell()(["demo", "--yes"], { env, stdin: new PassThrough(), terminal: 120 });
  expect(code).toBe(0);
  expect(stdout.match(scene)).toHaveLength(6);
  expect(stdout).not.toMatch(/Enter|http:/);
});
