import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { System } from "../../../system.ts";

const maxWrong = 5;
const waitMs = 60_000;
const yearS = 365 * 24 * 60 * 60;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
/** Of digests the comparison takes the same time whatever was sent. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** Lets in who knows the PIN, and keeps the device in by a cookie that another PIN, or another journal, makes worthless. */
export class PinGate {
  readonly #pin: string;
  readonly #system: Pick<System, "clock" | "uuid">;
  readonly #key: Buffer;
  /** A machine has one jar of cookies for all its ports. */
  readonly #cookie: string;
  #wrong = 0;
  #lockedAt = Number.NEGATIVE_INFINITY;

  /** @param secret only this journal knows it: whoever has a cookie cannot find the PIN by trying. */
  constructor(
    pin: string,
    { secret, port, system }: { secret: string; port: number; system: Pick<System, "clock" | "uuid"> },
  ) {
    this.#pin = pin;
    this.#system = system;
    this.#key = digest(`screen\n${secret}\n${pin}`);
    this.#cookie = `bpos_screen_${port}`;
  }

  isIn({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? "").split(/; */).map((each) => each.split("="));
    return cookies.some(([name, value = ""]) => {
      const [given = "", id = "", mac = ""] = value.split(".");
      const ageS = this.#system.clock.now() / 1000 - Number(given);
      return name === this.#cookie && isSame(mac, this.#sign(`${given}.${id}`)) && ageS < yearS;
    });
  }

  /** The header that lets this device in; `wrong`, or `wait` after five wrong ones. */
  enter(pin: string): { cookie: string } | "wrong" | "wait" {
    const now = this.#system.clock.now();
    // Also where the clock was set back.
    if (Math.abs(now - this.#lockedAt) < waitMs) return "wait";
    if (!isSame(pin, this.#pin)) {
      this.#wrong += 1;
      if (this.#wrong < maxWrong) return "wrong";
      this.#wrong = 0;
      this.#lockedAt = now;
      return "wait";
    }

    const value = `${Math.floor(now / 1000)}.${this.#system.uuid()}`;
    const rules = `Max-Age=${yearS}; Path=/; HttpOnly; SameSite=Strict`;
    return { cookie: `${this.#cookie}=${value}.${this.#sign(value)}; ${rules}` };
  }

  #sign(value: string): string {
    return createHmac("sha256", this.#key).update(value).digest("base64url");
  }
}
