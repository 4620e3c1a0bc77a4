import { masker } from "../errors/mask-key.ts";
import type { OutStream, System } from "../system.ts";

/** The outside world that nothing secret is told. */
export interface GuardedSystem extends System {
  /** Keeps a key or another secret out of all that is written from here on. */
  readonly hide: (secret: string) => void;
}

/** A shorter one, or one of digits alone, stands in any text by chance. */
const isMaskable = (secret: string): boolean => secret.length >= 8 && /[a-z]/i.test(secret);

/**
 * The same outside world, in which whatever is written, asked or heard of a command is without the secrets that `hide` was told of.
 * It is the last line: an answer's body has lost the key before anybody reads it.
 */
export function guarded(system: System): GuardedSystem {
  const maskers = new Map<string, (text: string) => string>();
  const masked = (text: string): string => {
    let safe = text;
    for (const mask of maskers.values()) safe = mask(safe);
    return safe;
  };
  const stream = (out: OutStream): OutStream => ({ ...out, write: (text) => out.write(masked(text)) });
  const { prompts } = system;
  return {
    ...system,
    stdout: stream(system.stdout),
    stderr: stream(system.stderr),
    prompts: {
      confirm: (question, ...how) => prompts.confirm(masked(question), ...how),
      choose: (question, choices, how) => prompts.choose(masked(question), choices.map(masked), how),
      text: (question, ...how) => prompts.text(masked(question), ...how),
      secret: (question, ...how) => prompts.secret(masked(question), ...how),
    },
    // The key is in a command's environment, and a shell that traces itself prints it.
    async run(...how) {
      const ended = await system.run(...how);
      return { ...ended, output: masked(ended.output) };
    },
    hide(secret) {
      if (isMaskable(secret) && !maskers.has(secret)) maskers.set(secret, masker(secret));
    },
  };
}
