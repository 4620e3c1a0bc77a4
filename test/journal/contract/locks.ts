import { expect, it } from "vitest";
import { isReason } from "../../../src/errors.ts";
import { type Lock, type Locks, lockName, lockNamed, waitName } from "../../../src/journal/locks/locks.ts";

/** One journal, and the processes that take locks in it. */
export interface LockState {
  /** A process of this machine. */
  start: (pid: number) => Promise<Locks>;
  /** Leaves what one that was killed leaves, as soon as it counts as dead. */
  dead: (...locks: Lock[]) => Promise<void>;
  /** Which locks are held or were left. */
  names: () => Promise<string[]>;
}

const waits = { waits: true };
export const push: Lock = { work: "push", branch: "b1" };
export const kitchen: Lock = { work: "watch", branch: "b1", consumer: "kitchen" };

/** Matches the error of a lock that another process has. */
export const lockedBy = (facts: object): unknown =>
  expect.toSatisfy((error) => {
    expect(isReason(error, "locked")).toBe(true);
    expect((error as { facts: object }).facts).toEqual(facts);
    return true;
  });

async function holdersOf(process: Locks, locks: readonly Lock[]) {
  const held = new Map((await process.held()).map(({ name, pid, host }) => [name, { pid, host }]));
  return locks.map((lock) => held.get(lockName(lock)));
}

/** Tests of locks, for any engine. */
export function locksContract(open: () => Promise<LockState>): void {
  it("a lock is one process's at a time, and free again when that one closes", async () => {
    const { start, names } = await open();
    const [one, two] = [await start(11), await start(22)];
    await one.take(push);
    await one.take(kitchen);
    await expect(two.take(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
    const facts = { pid: 11, work: "watch", consumer: "kitchen" };
    await expect(two.take(kitchen)).rejects.toThrow(lockedBy(facts));
    // To have been asked does not end it.
    await expect(two.take(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
    await one.release();
    await two.take(push);
    await expect(one.take(push)).rejects.toThrow(lockedBy({ pid: 22, work: "push" }));
    await one.release();
    await two.release();
    expect(await names()).toEqual([]);
  });

  it("holds apart only the same work of the same branch and consumer", async () => {
    const { start } = await open();
    const [one, two] = [await start(11), await start(22)];
    await one.take(push);
    await one.take(kitchen);
    await two.take({ work: "send", branch: "b1" });
    await two.take({ work: "push", branch: "b2" });
    await two.take({ ...kitchen, consumer: "printer" });
    await two.take({ ...kitchen, branch: "b2" });
    await two.take({ work: "watch", branch: "b1" });
    await two.take({ ...kitchen, consumer: "" });
  });

  it("one can be given up before the others, and is another process's at once", async () => {
    const { start, names } = await open();
    const [one, two] = [await start(11), await start(22)];
    const held = await one.take(push);
    await one.take(kitchen);
    await held.release();
    await two.take(push);
    // To give it up again takes nothing from who has it now.
    await held.release();
    await expect(one.take(push)).rejects.toThrow(lockedBy({ pid: 22, work: "push" }));
    await expect(two.take(kitchen)).rejects.toThrow(
      lockedBy({ pid: 11, work: "watch", consumer: "kitchen" }),
    );
    expect(await names()).toEqual([push, kitchen].map(lockName));
  });

  it("takes many that nobody holds at once, and after a failed step all of them again", async () => {
    const { start, names } = await open();
    const [one, two] = [await start(11), await start(22)];
    const locks = ["b1", "b2", "b3"].map((branch) => ({ ...kitchen, branch }));
    const others = locks.slice(1).map(lockName);
    await two.take(locks[0]!);
    await expect(one.takeFree(locks, () => Promise.reject(new Error("full")))).rejects.toThrow("full");
    for (let n = 0; n < 2; n++) {
      const seen: Lock[] = [];
      const taken = await one.takeFree(locks, (_sql, some) =>
        Promise.resolve().then(() => void seen.push(...some)),
      );
      expect([...taken.keys()].sort()).toEqual(others);
      expect(seen.map(lockName).sort()).toEqual(others);
    }
    await two.release();
    await one.release();
    expect(await names()).toEqual([]);
  });

  it("holds apart two works of one process as well", async () => {
    const { start } = await open();
    const own = await start(11);
    await own.take(push);
    await expect(own.take(push)).rejects.toThrow(lockedBy({ pid: 11, work: "push" }));
  });

  it("tells who waits for a lock, until that one does not any more, or ends", async () => {
    const { start, names } = await open();
    const [one, two, three] = [await start(11), await start(22), await start(33)];
    const web: Lock = { work: "watch", branch: "b2", consumer: "a b  c" };
    await one.take(kitchen);
    expect(await one.held(waits)).toEqual([]);
    await two.standBy([kitchen, web]);
    await three.standBy([web]);
    const told = async () =>
      (await one.held(waits)).map(({ name, pid, host }) => `${name} ${host} ${pid}`).sort();
    const [ofKitchen, ofWeb] = [lockName(kitchen), lockName(web)];
    expect(await told()).toEqual([`${ofKitchen} caja-1 22`, `${ofWeb} caja-1 22`, `${ofWeb} caja-1 33`]);
    expect((await one.held(waits)).every(({ since }) => Math.abs(Date.now() - since) < 60_000)).toBe(true);
    // They hold nothing.
    expect((await two.held()).map(({ pid }) => pid)).toEqual([11]);
    await one.take(web);

    await two.standBy([web]);
    expect(await told()).toEqual([`${ofWeb} caja-1 22`, `${ofWeb} caja-1 33`]);
    await two.standBy([]);
    await three.release();
    expect(await told()).toEqual([]);
    expect(await names()).toEqual([kitchen, web].map(lockName));
  });

  it("does not tell of one that was killed while it waited", async () => {
    const { start, dead } = await open();
    await dead(lockNamed(waitName(kitchen, { id: "dead" })));
    const own = await start(11);
    expect(await own.held(waits)).toEqual([]);
    await own.standBy([kitchen]);
    expect((await own.held(waits)).map(({ name, pid }) => [name, pid])).toEqual([[lockName(kitchen), 11]]);
  });

  it("takes over what a dead process had, and tells before who lives and holds what", async () => {
    const { start, names, dead } = await open();
    const [one, two] = [await start(11), await start(22)];
    const all: Lock[] = [push, kitchen, { work: "send", branch: "b1" }, { work: "push", branch: "b2" }];
    const nobody = undefined;
    expect(await holdersOf(one, all)).toEqual([nobody, nobody, nobody, nobody]);
    await dead(push, kitchen);
    await two.take(all[2]!);
    // Whoever looks takes nothing; one's own are held as well.
    for (const each of [one, two])
      expect(await holdersOf(each, all)).toEqual([nobody, nobody, { pid: 22, host: "caja-1" }, nobody]);
    await one.take(push);
    await one.take(kitchen);
    expect((await holdersOf(one, all)).map((by) => by?.pid)).toEqual([11, 11, 22, nobody]);
    await expect(two.take(kitchen)).rejects.toThrow(
      lockedBy({ pid: 11, work: "watch", consumer: "kitchen" }),
    );
    expect(await names()).toEqual([push, all[2]!, kitchen].map(lockName));
  });
}
