import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type * as z from "zod";
import {
  checkBlocks,
  type LayoutFile,
  type LayoutKey,
  layoutSchema,
  receiptBlocks,
} from "../contract/layout.ts";
import { type LayoutProblem, similarTo } from "../errors/problems.ts";
import { BposError } from "../errors.ts";
import { decode } from "../input/files/decode.ts";
import { openInput, unreadable } from "../input/files/file.ts";
import type { System } from "../system.ts";
import { type Texts, textsIn } from "../texts/texts.ts";
import { type GreyPicture, inspectPng, maxLogoBytes, maxLogoSide, readPng } from "./png.ts";

/** A layout with all that it needs to print: the logo's dots and the words of its language. */
export type Layout = Omit<LayoutFile, "logo" | "lang"> & {
  logo?: GreyPicture | undefined;
  texts?: Texts | undefined;
};

/** The values of each key, in JSON; null for a list of lines. */
const takes: Readonly<Record<LayoutKey, string | null>> = {
  header: null,
  logo: '"logo.png"',
  blocks: JSON.stringify(receiptBlocks),
  items_size: '"normal", "double"',
  prices: "true, false",
  qr: '"map", "phone", "none"',
  footer: null,
  copies: "1 … 9",
  cut_between: "true, false",
  lang: '"en", "es", "es-AR"',
};

function toProblem([issue]: readonly z.core.$ZodIssue[]): LayoutProblem {
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    return {
      kind: "unknown_key",
      key,
      similar: similarTo(key, Object.keys(takes)),
      keys: Object.keys(takes),
    };
  }
  const path = issue?.path ?? [];
  const key = path[0] as LayoutKey | undefined;
  return { kind: "wrong_value", path: path.join("."), expected: key === undefined ? "{…}" : takes[key] };
}

type Refused = (kind: "not_png" | "too_large" | "interlaced" | "damaged", cause?: unknown) => BposError;

function decodeLogo(bytes: Uint8Array, refused: Refused): GreyPicture {
  try {
    return readPng(bytes);
  } catch (error) {
    throw refused("damaged", error);
  }
}

/** Throws `input_unreadable`, and what `refused` returns. */
async function readLogo(path: string, refused: Refused): Promise<GreyPicture> {
  try {
    // A device may be endless.
    const found = await stat(path);
    if (found.isFile() && found.size > maxLogoBytes) throw refused("too_large");
    const bytes = found.isFile() ? await readFile(path) : new Uint8Array();
    const fault = inspectPng(bytes);
    if (fault !== undefined) throw refused(fault);
    return decodeLogo(bytes, refused);
  } catch (error) {
    if (error instanceof BposError) throw error;
    throw unreadable(path, error);
  }
}

function readFields(
  text: string,
  refused: (problem: LayoutProblem, cause?: unknown) => BposError,
): LayoutFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw refused({ kind: "not_json", detail: (error as Error).message }, error);
  }
  const { data, error } = layoutSchema.safeParse(content);
  if (data === undefined) throw refused(toProblem(error.issues));
  const { missing, twice } = checkBlocks(data.blocks ?? receiptBlocks);
  if (missing !== undefined) throw refused({ kind: "block_missing", block: missing });
  if (twice !== undefined) throw refused({ kind: "block_twice", block: twice });
  return data;
}

/** Reads a layout and its logo. Throws `layout_unusable`, and `input_unreadable` for a file that cannot be read. */
export async function openLayout(system: System, path: string | undefined): Promise<Layout | undefined> {
  if (path === undefined || path === "") return undefined;
  const refused = (problem: LayoutProblem, cause?: unknown): BposError =>
    new BposError("layout_unusable", { file: path, problem }, { cause });

  const file = await openInput(path, system.stdin, system.cwd);
  const { logo, lang, ...rest } = readFields(decode(file).utf8.toString(), refused);
  const limits = { maxBytes: maxLogoBytes, maxSide: maxLogoSide };
  const open = (name: string): Promise<GreyPicture> =>
    readLogo(resolve(system.cwd, dirname(path), name), (fault, cause) =>
      refused({ kind: `logo_${fault}`, logo: name, ...limits }, cause),
    );
  return {
    ...rest,
    texts: lang === undefined ? undefined : textsIn(lang),
    logo: logo === undefined ? undefined : await open(logo),
  };
}
