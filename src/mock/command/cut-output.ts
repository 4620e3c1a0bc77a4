import { stripVTControlCharacters } from "node:util";
import { count } from "../../cli/display/format.ts";
import type { Ui } from "../../cli/display/ui.ts";
import type { OutStream, System } from "../../system.ts";

interface Recorder {
  /** The system whose output is recorded. */
  system: System;
  /** Writes the paragraphs that match, and how many lines were left out; everything without a pattern. */
  play(shows: RegExp | undefined, ui: Ui): Promise<void>;
}

/** Records what a command writes, to show it in part. */
export function recordOutput(inside: System): Recorder {
  const parts: { stream: OutStream; text: string }[] = [];
  const record = (stream: OutStream): OutStream => ({
    ...stream,
    write(text) {
      const last = parts.at(-1);
      // A progress line, which is drawn over itself, has no place in a record.
      const written = text.startsWith("\r") ? "" : text;
      if (last?.stream === stream) last.text += written;
      else parts.push({ stream, text: written });
      return Promise.resolve();
    },
  });

  return {
    system: { ...inside, stdout: record(inside.stdout), stderr: record(inside.stderr) },
    async play(shows, ui) {
      for (const [n, { stream, text }] of parts.entries()) {
        // On a terminal both streams stand below one another.
        const gap = shows && n > 0 && ui.width !== undefined ? "\n" : "";
        await stream.write(gap + (shows ? cutParagraphs(text, shows, ui) : text));
      }
    },
  };
}

function cutParagraphs(text: string, shows: RegExp, ui: Ui): string {
  const shown: string[] = [];
  let left = 0;
  const tellLeft = (): void => {
    if (left === 0) return;
    const more = ui.texts.t("… {count, plural, one {# line} other {# lines}} left out", {
      count: count(left, ui),
    });
    const before = shown.pop();
    shown.push(`${before === undefined ? "" : `${before}\n`}${ui.theme.dim(more)}`);
    left = 0;
  };

  const [, begin = "", body = "", end = ""] = /^(\n*)(.*?)(\n*)$/s.exec(text) ?? [];
  for (const paragraph of body.split(/\n{2,}/)) {
    if (!shows.test(stripVTControlCharacters(paragraph))) left += paragraph.split("\n").length;
    else {
      tellLeft();
      shown.push(paragraph);
    }
  }
  tellLeft();
  return begin + shown.join("\n\n") + end;
}
