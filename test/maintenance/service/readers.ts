/** What systemd 252 makes of the value of ExecStart=: systemd.service(5), "Command lines". */
export function systemdArgv(unit: string): string[] {
  const [, line = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let n = 0; n < line.length; n++) {
    const sign = line.charAt(n);
    const next = line.charAt(n + 1);
    if (quote === "" && sign === " ") {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= "";
    if (sign === quote) quote = "";
    else if (quote === "" && (sign === '"' || sign === "'")) quote = sign;
    else if (sign === "\\") {
      const meant = { n: "\n", t: "\t", r: "\r", "\\": "\\", '"': '"' }[next];
      if (meant === undefined) throw new Error(`\\${next} is no escape that is written`);
      word += meant;
      n += 1;
    } else if (sign === "%") {
      if (next !== "%") throw new Error(`%${next} is a specifier`);
      word += "%";
      n += 1;
    } else if (sign === "$" && words.length > 0) {
      if (next !== "$") throw new Error(`$${next} is a variable`);
      word += "$";
      n += 1;
    } else word += sign;
  }
  if (quote !== "") throw new Error("a quotation mark is open");
  return word === undefined ? words : [...words, word];
}

const readXml = (text: string): string =>
  text.replace(/&#(\d+);|&/g, (reference: string, code?: string) => {
    if (code === undefined) throw new Error(`${reference} begins no reference`);
    return String.fromCodePoint(Number(code));
  });

/** The words of a property list's ProgramArguments. */
export function launchdArgv(plist: string): string[] {
  const [, list = ""] = /<key>ProgramArguments<\/key>\s*<array>(.*?)<\/array>/s.exec(plist) ?? [];
  return [...list.matchAll(/<string>([^<]*)<\/string>/g)].map(([, text = ""]) => readXml(text));
}

/** The line that the Task Scheduler starts, and the words that the C runtime of Microsoft finds in it. */
export function taskArgv(xml: string): { line: string; argv: string[] } {
  const textOf = (tag: string): string =>
    readXml(new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? "");
  const line = textOf("Arguments");
  const words: string[] = [];
  let word: string | undefined;
  let inQuotes = false;
  for (const [part = "", backslashes = "", mark = ""] of line.matchAll(/(\\*)(")|\\+|[^\\"]/g)) {
    if (mark === '"') {
      word = (word ?? "") + "\\".repeat(Math.floor(backslashes.length / 2));
      if (backslashes.length % 2 === 1) word += '"';
      else inQuotes = !inQuotes;
    } else if (!inQuotes && (part === " " || part === "\t")) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + part;
  }
  if (word !== undefined) words.push(word);
  return { line, argv: [textOf("Command"), ...words] };
}
