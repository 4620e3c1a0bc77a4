import { crc32, deflateSync, inflateSync } from "node:zlib";
import { convertIndexedToRgb, type DecodedPng, decode, encode } from "fast-png";

/** A byte for each dot: 0 is black, 255 is white. */
export interface GreyPicture {
  width: number;
  height: number;
  grey: Uint8Array;
}

/** 10 cm of paper. */
export const maxPictureHeight = 800;

export const maxLogoBytes = 4 << 20;
/** Paper shows 576 dots; a larger image only costs time and memory. */
export const maxLogoSide = 2_000;

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

interface PngHead {
  width: number;
  height: number;
  depth: number;
  colours: number;
  isInterlaced: boolean;
}

/** The number of values of a dot, by its colour type. */
const channelsOf = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** The passes of an interlaced picture: where each begins, and how far its dots stand apart. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function readHead(bytes: Buffer): PngHead | undefined {
  const isPng = bytes.subarray(0, 8).equals(signature) && bytes.length >= 33;
  if (!isPng || bytes.subarray(12, 16).toString("latin1") !== "IHDR") return undefined;
  const [depth = 0, colours = 0] = bytes.subarray(24, 26);
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    depth,
    colours,
    isInterlaced: bytes[28] !== 0,
  };
}

type Refused = "not_png" | "too_large" | "interlaced";

/** The reason why a PNG is not read, by the facts at its beginning; undefined for one that is. */
export function inspectPng(bytes: Uint8Array): Refused | undefined {
  const head = readHead(Buffer.from(bytes));
  if (head === undefined) return "not_png";
  if (Math.max(head.width, head.height) > maxLogoSide) return "too_large";
  // The decoder would read such an image as one byte per dot.
  return head.isInterlaced && head.depth < 8 ? "interlaced" : undefined;
}

/** Returns the size of the unpacked dots, in bytes: a byte before each row says how it is filtered. */
function unpackedSize({ width, height, depth, colours, isInterlaced }: PngHead): number {
  const bits = depth * (channelsOf.get(colours) ?? 4);
  const size = (columns: number, rows: number): number =>
    columns === 0 ? 0 : rows * (1 + Math.ceil((columns * bits) / 8));
  if (!isInterlaced) return size(width, height);
  return passes.reduce(
    (sum, [x, y, dx, dy]) => sum + size(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)),
    0,
  );
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Returns the chunks that hold the dots; skips all others. Throws Error for a damaged one. */
function readChunks(bytes: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer[]>([
    ["IHDR", []],
    ["PLTE", []],
    ["tRNS", []],
    ["IDAT", []],
  ]);
  for (let at = signature.length; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const kept = found.get(type);
    if (end + 4 > bytes.length) throw new Error(`${type} is cut`);
    if (kept !== undefined && crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      throw new Error(`${type} is damaged`);
    kept?.push(bytes.subarray(at + 8, end));
    at = type === "IEND" ? bytes.length : end + 4;
  }
  return new Map(Array.from(found, ([type, parts]) => [type, Buffer.concat(parts)]));
}

/** The same picture with nothing but its dots, which unpack to what its head announces. Throws Error for one that does not. */
function onlyDots(bytes: Buffer, head: PngHead): Buffer {
  const chunks = readChunks(bytes);
  const size = unpackedSize(head);
  const dots = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0), { maxOutputLength: size });
  if (dots.length !== size) throw new Error(`${dots.length} bytes of dots, not ${size}`);
  chunks.set("IDAT", deflateSync(dots, { level: 0 }));
  const kept = Array.from(chunks, ([type, data]) => (data.length === 0 ? [] : [chunk(type, data)]));
  return Buffer.concat([signature, ...kept.flat(), chunk("IEND", Buffer.alloc(0))]);
}

/** A value for each dot, of which a byte holds several. */
function unpack({ width, height, depth, data }: DecodedPng): Uint8Array {
  const rowBytes = Math.ceil((width * depth) / 8);
  return Uint8Array.from({ length: width * height }, (_, at) => {
    const bit = (at % width) * depth;
    const byte = data[Math.floor(at / width) * rowBytes + (bit >> 3)] ?? 0;
    return (byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  });
}

/** The values of all dots, their number for each dot, and the largest. */
function readValues({ palette, ...png }: DecodedPng) {
  if (palette !== undefined)
    return { data: convertIndexedToRgb({ ...png, palette }), channels: palette[0]?.length ?? 3, most: 255 };
  const data = png.depth < 8 ? unpack(png) : png.data;
  return { data, channels: png.channels, most: 2 ** png.depth - 1 };
}

/** Dots of any kind as grey on white, which is what paper is below what is transparent. */
function toGrey(png: DecodedPng): Uint8Array {
  const { transparency: clear } = png;
  const { data, channels, most } = readValues(png);
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  const grey = new Uint8Array(png.width * png.height);
  for (let at = 0; at < grey.length; at++) {
    const from = at * channels;
    const [r = most, g = most, b = most] = [data[from], data[from + green], data[from + blue]];
    const isClear = clear !== undefined && r === clear[0] && g === clear[green] && b === clear[blue];
    const ink = most - (r * 0.299 + g * 0.587 + b * 0.114);
    const alpha = channels % 2 === 0 ? (data[from + channels - 1] ?? most) / most : isClear ? 0 : 1;
    grey[at] = Math.round(255 - (255 * ink * alpha) / most);
  }
  return grey;
}

/**
 * Reads a PNG that `inspectPng` lets pass, as large as the widest paper shows it. Time and memory go by the size that it announces, whatever
 * its chunks unpack to. Throws Error for one that is damaged.
 */
export function readPng(file: Uint8Array): GreyPicture {
  const bytes = Buffer.from(file);
  const head = readHead(bytes);
  if (head === undefined) throw new Error("it is no PNG");
  const png = decode(onlyDots(bytes, head));
  return fitPicture({ width: png.width, height: png.height, grey: toGrey(png) }, 576, maxPictureHeight);
}

/** Scales down if it does not fit; each dot is the mean of those it replaces. */
export function fitPicture(picture: GreyPicture, maxWidth: number, maxHeight: number): GreyPicture {
  const { width: w, height: h } = picture;
  const scale = Math.max(1, w / maxWidth, h / maxHeight);
  if (scale === 1) return picture;
  const [width, height] = [w, h].map((side) => Math.max(1, Math.round(side / scale))) as [number, number];
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const [left, right] = [x, x + 1].map((n) => Math.floor((n * w) / width)) as [number, number];
    const [top, bottom] = [y, y + 1].map((n) => Math.floor((n * h) / height)) as [number, number];
    let sum = 0;
    for (let v = top; v < bottom; v++) for (let u = left; u < right; u++) sum += picture.grey[v * w + u] ?? 0;
    grey[at] = sum / ((bottom - top) * (right - left));
  }
  return { width, height, grey };
}

/** Encodes a bitmap as a PNG with one bit per dot; its width is a multiple of 8. */
export function writePng({ width, height, dots }: Bitmap): Uint8Array {
  const data = new Uint8Array(dots.length / 8);
  for (const [at, ink] of dots.entries())
    if (ink === 0) data[at >> 3] = (data[at >> 3] ?? 0) | (128 >> (at & 7));
  return encode({ width, height, data, depth: 1, channels: 1 }, { zlib: { level: 9 } });
}

/** A byte for each dot: 1 is black. */
export interface Bitmap {
  width: number;
  height: number;
  dots: Uint8Array;
}
