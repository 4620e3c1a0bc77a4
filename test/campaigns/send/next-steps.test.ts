import { describe, expect, it } from "vitest";
import { created, desk, people, poster, send } from "../../support/campaigns.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { reply, reset } from "../../support/scripted-server.ts";

const plain = (text: string): string => text.replace(/\s+/g, " ");
const refused = (status: number) => reply({ code: "ERROR_CODE_X", message: "no params" }, status);

describe("a send without a clear answer", () => {
  it.each([400, 403])(
    "that is then refused with %i says that this proves nothing, and promises nothing",
    async (status) => {
      const { run } = await poster([reset(), refused(status)], { clock: fakeClock() });
      const { code, stderr } = await run(send(people(2), "--ref", "el fin", "--yes", "--retries", "1"));
      expect(code).toBe(7);
      const said = plain(stderr);
      expect(said).toContain("An earlier attempt might have arrived, so the outcome is still unknown.");
      expect(said).toMatch(/Correct the .*, then run `bpos campaign resume 'el fin'`\. Or ask/);
      expect(said).not.toContain("settles it");
    },
  );

  it("says how many calls and people never left, and how many an unknown call holds", async () => {
    const { run } = await poster([reset(), reset(), reset()]);
    const argv = send(people(450), "--ref", "r", "--track-all", "--yes", "--retries", "0");
    const { code, stdout, stderr } = await run(argv);
    expect(code).toBe(7);
    expect(plain(stdout)).toContain("2 calls to 150 recipients were not sent.");
    expect(stdout).toMatch(/Campaign +Status +Recipients +Added/);
    expect(stdout.match(/unknown +100 +0/g)).toHaveLength(3);
    expect(plain(stderr)).toContain("`bpos campaign resume r` settles it");
  });

  it("names one way to go on after Ctrl-C", async () => {
    let stop = (): void => undefined;
    const { run } = await poster([
      (response, request) => {
        stop();
        reply(created)(response, request);
      },
    ]);
    const { code, stdout, stderr } = await run(send(people(150), "--ref", "r", "--track-all", "--yes"), {
      onStart: (means) => {
        stop = means;
      },
    });
    expect(code).toBe(130);
    expect(plain(stderr)).toContain("`bpos campaign resume r` continues");
    expect(plain(stderr)).not.toContain("Run the same command again");
    expect(plain(stdout)).not.toContain("`bpos campaign resume`");
  });
});

describe("what a send says of itself", () => {
  it.each([
    ["--not-after", "soon"],
    ["--not-after", "99999999999999d"],
    ["--errors", "no/folder/e.csv"],
    ["--errors", "-"],
  ])("%s %s is refused without the general advice", async (flag, value) => {
    const { run } = await desk();
    const { code, stderr } = await run(send(people(2), "--dry-run", flag, value));
    expect(code).toBe(2);
    expect(stderr).toContain(flag);
    expect(stderr).not.toContain("bpos --help");
  });
});
