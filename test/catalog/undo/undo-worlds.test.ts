import { expect, it } from "vitest";
import { parse as parseReport, type Report } from "../../support/push.ts";
import { listFile, randomList, worldOf } from "../../support/random-lists.ts";
import { shell } from "../../support/run.ts";
import { realService } from "../../support/service.ts";
import { randomOf, seed, sized } from "../../support/soak.ts";

type Undone = Report & { left_alone: { codigo: string; reason: string }[] };
type World = Awaited<ReturnType<typeof worldOf>>;
const fields = ["precio", "nombre", "categoria", "deshabilitado"] as const;

/** Returns a product as it must be once a push is undone: as before it, but for what a later one changed. */
function expected(
  codigo: string,
  [before, pushed, later]: readonly [World, World, World],
): object | undefined {
  const [was, is, since] = [before[codigo], pushed[codigo], later[codigo]];
  // Whoever put it on sale again meanwhile chose how.
  if (was?.active === true && is?.active === false && since?.active === true) return since;
  if (was?.active !== true || is?.active !== true || since?.active !== true) return was;
  const own = fields.map((field) => [field, since[field] === is[field] ? was[field] : since[field]]);
  return { ...was, ...(Object.fromEntries(own) as Partial<typeof was>) };
}

it(`undoes a random list on a random world, but for what others changed, and takes it back (seed ${seed})`, async () => {
  const random = randomOf("undo");
  for (let round = 0; round < sized(1, 60); round++) {
    const { mock, env } = await realService({ scenario: "empty" });
    const run = shell({ env });
    const told = () => `round ${round}`;
    const push = async (pool?: number): Promise<Report> => {
      const missing = ["--changed-only", "--deactivate-missing", "--max-deactivate", "100%"];
      const flags = [...(random() < 0.4 ? missing : []), "--batch-size", `${1 + Math.floor(random() * 20)}`];
      const file = listFile(randomList(random, pool));
      const { code, stdout, stderr } = await run(["catalog", "push", file, "--json", ...flags]);
      expect(code, `${told()} ${stderr}`).toBe(0);
      return parseReport(stdout);
    };
    const undo = async (...id: string[]): Promise<Undone> => {
      const argv = ["catalog", "undo", ...id, "--yes", "--json", "--max-deactivate", "100%"];
      const { code, stdout, stderr } = await run(argv);
      expect([0, 3], `${told()} ${stderr}`).toContain(code);
      return JSON.parse(stdout) as Undone;
    };

    for (let n = 0; n < 2; n++) await push();
    const before = await worldOf(mock);
    const { push_id: id, sent, deactivated } = await push();
    const pushed = await worldOf(mock);
    if (random() < 0.5) await push(8);
    const later = await worldOf(mock);
    if (sent === 0 && deactivated === undefined) continue;
    const { left_alone: alone, ...undone } = await undo(sent === 0 ? deactivated!.push_id : id);
    const now = await worldOf(mock);
    const reasons = new Map(alone.map(({ codigo, reason }) => [codigo, reason]));
    for (const codigo of Object.keys(now)) {
      const reason = reasons.get(codigo);
      const same = JSON.stringify(before[codigo]) === JSON.stringify(pushed[codigo]);
      if (reason !== undefined || same) expect(now[codigo], `${told()} ${codigo}`).toEqual(later[codigo]);
      else expect(now[codigo], `${told()} ${codigo}`).toEqual(expected(codigo, [before, pushed, later]));
      if (reason === "changed_since") expect(later[codigo], codigo).not.toEqual(pushed[codigo]);
      expect(reason, `${told()} ${codigo}`).not.toBe("state_unknown");
    }
    if (undone.sent === 0 && undone.deactivated === undefined) continue;
    expect((await undo()).left_alone, told()).toEqual([]);
    expect(await worldOf(mock), told()).toEqual(later);
  }
}, 600_000);
