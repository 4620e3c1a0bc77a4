/** How many branches there are, and how many each of the processes that share them has. */
interface Counts {
  all: number;
  own: number;
  others: readonly number[];
}

/** How many branches a process may take of those that nobody has, and how many it is to leave to others that have fewer. */
export function fairShare({ all, own, others }: Counts): { takes: number; gives: number } {
  const processes = others.length + 1;
  const most = Math.ceil(all / processes);
  const least = Math.floor(all / processes);
  const lacking = others.reduce((sum, count) => sum + Math.max(0, least - count), 0);
  return { takes: Math.max(0, most - own), gives: Math.min(Math.max(0, own - most), lacking) };
}
