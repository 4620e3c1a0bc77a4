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
/** More would take seconds and hundreds of megabytes, for what paper shows with 576 dots. */
export const maxLogoSide = 4_000;

type Refused = "not_png" | "too_large" | "interlaced";

/** The facts at the beginning of a PNG; a reason where it is not read. */
export function inspectPng(bytes: Uint8Array): Refused | undefined {
  const view = Buffer.from(bytes);
  const isPng = view.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n" && view.length >= 33;
  if (!isPng || view.subarray(12, 16).toString("latin1") !== "IHDR") return "not_png";
  if (Math.max(view.readUInt32BE(16), view.readUInt32BE(20)) > maxLogoSide) return "too_large";
  // The decoder takes such a picture for one of a byte a dot.
  return view[28] !== 0 && (view[24] ?? 0) < 8 ? "interlaced" : undefined;
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

/** Reads a PNG that `inspectPng` lets pass, as large as the widest paper shows it. Throws Error for one that is damaged. */
export function readPng(bytes: Uint8Array): GreyPicture {
  const png = decode(bytes, { checkCrc: true });
  return fitPicture({ width: png.width, height: png.height, grey: toGrey(png) }, 576, maxPictureHeight);
}

/** Smaller where it does not fit, each dot the mean of those that it stands for. */
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

/** A bitmap as a PNG of one bit a dot; its width is a multiple of 8. */
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
