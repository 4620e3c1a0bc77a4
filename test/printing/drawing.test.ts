import { crc32, deflateSync } from "node:zlib";
import { type DecodedPng, decode, encode } from "fast-png";
import decodeQR from "qr/decode.js";
import { describe, expect, it } from "vitest";
import { letterOf } from "../../src/printing/code-page.ts";
import { drawPaper, readPaper } from "../../src/printing/drawing.ts";
import { type Bitmap, inspectPng, readPng, writePng } from "../../src/printing/png.ts";
import { Receipt } from "../../src/printing/receipt.ts";
import { sized } from "../support/soak.ts";

const ways = ([58, 80] as const).flatMap((paper) =>
  (["escpos", "star"] as const).map((language) => ({ paper, language })),
);
type Way = (typeof ways)[number];

const open = (way: Way): Receipt => new Receipt({ ...way, drawer: false, beep: false });
const drawn = (receipt: Receipt, way: Way): Bitmap => drawPaper(readPaper(receipt.bytes(), way), way.paper);

/** The dots of a part, `#` for black. */
function part({ width, dots }: Bitmap, [x, y, w, h]: [number, number, number, number]): string[] {
  const rows = Array.from({ length: h }, (_, v) =>
    dots.subarray((y + v) * width + x, (y + v) * width + x + w),
  );
  return rows.map((row) => Array.from(row, (dot) => (dot === 1 ? "#" : ".")).join(""));
}
const inkOf = (bitmap: Bitmap): number => bitmap.dots.reduce((sum, dot) => sum + dot, 0);

const letters = Array.from({ length: 224 }, (_, n) => letterOf(n + 0x20)).filter(
  (letter) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter) && !/[\u2500-\u25ff§¶‗\u007f]/.test(letter),
);

describe.each(ways)("paper of $paper mm, in $language", (way) => {
  const width = { 58: 384, 80: 576 }[way.paper];

  it("has every letter in its own place, and no two alike", () => {
    const columns = width / 12;
    const rows = letters.join("").match(new RegExp(`.{1,${columns}}`, "gu")) ?? [];
    const receipt = open(way);
    for (const row of rows) receipt.line(row);
    const picture = drawn(receipt, way);
    expect(picture.width).toBe(width);
    const spacing = way.language === "escpos" ? 30 : 32;
    const shapes = rows.flatMap((row, n) =>
      Array.from(row, (_, at) => part(picture, [at * 12, n * spacing, 12, 24]).join("\n")),
    );
    expect(new Set(shapes).size).toBe(letters.length);
    expect(shapes.join("").includes("#")).toBe(true);
    // Between the lines is nothing.
    for (let n = 1; n < rows.length; n++)
      expect(part(picture, [0, n * spacing - 6, width, 6]).join("")).not.toContain("#");
  });

  it("prints twice as high and wide what is, in the middle, and white on black", () => {
    const once = drawn(open(way).line("Ñ"), way);
    const title = drawn(open(way).title("Ñ"), way);
    const left = width / 2 - 12;
    const small = part(once, [0, 0, 12, 24]);
    const large = part(title, [left, 0, 24, 48]);
    // Bold is wider, so all that is black once is black twice.
    for (const [y, row] of small.entries())
      for (const [x, dot] of Array.from(row).entries())
        if (dot === "#") expect(large[y * 2]?.[x * 2]).toBe("#");
    expect(part(title, [0, 0, left, 48]).join("")).not.toContain("#");
    const edge = Math.floor((width / 12 - 3) / 2) * 12;
    const banner = drawn(open(way).banner("Ñ"), way);
    expect(part(banner, [edge, 0, 12, 48]).join("")).not.toContain(".");
    expect(part(banner, [edge + 12, 0, 12, 48]).join("")).toContain(".");
  });

  it("has the dots of a logo in the middle, unchanged where it is black and white", () => {
    const side = 40;
    const grey = Uint8Array.from({ length: side * side }, (_, n) => (n % 7 < 3 ? 0 : 255));
    const picture = drawn(open(way).picture({ width: side, height: side, grey }), way);
    const rows = Array.from({ length: side }, (_, y) =>
      Array.from(grey.subarray(y * side, (y + 1) * side), (each) => (each === 0 ? "#" : ".")).join(""),
    );
    expect(part(picture, [(width - side) / 2, 0, side, side])).toEqual(rows);
    expect(inkOf(picture)).toBe(grey.filter((each) => each === 0).length);
  });

  it("makes a logo that is too wide as wide as it is", () => {
    const grey = new Uint8Array(2000 * 500);
    const picture = drawn(open(way).picture({ width: 2000, height: 500, grey }), way);
    const height = width / 4;
    expect(part(picture, [0, 0, width, height]).join("")).not.toContain(".");
    expect(inkOf(picture)).toBe(width * height);
  });

  it("has a QR code that is read again, and none of a text that is too long", () => {
    const address = `https://maps.google.com/?q=${encodeURIComponent("Güemes 742, Córdoba")}`;
    for (const text of [address, `https://x.example/${"y".repeat(382)}`]) {
      const picture = drawn(open(way).qr(text, "Mapa"), way);
      const data = Uint8Array.from({ length: picture.dots.length * 4 }, (_, n) =>
        n % 4 === 3 || picture.dots[n >> 2] === 0 ? 255 : 0,
      );
      expect(decodeQR({ width: picture.width, height: picture.height, data })).toBe(text);
    }
    expect(open(way).qr("z".repeat(401), "Mapa").bytes()).toEqual(open(way).bytes());
  });

  it("is the same in its PNG, of one bit a dot", () => {
    const picture = drawn(open(way).title("LA ÑATA").rule().box("¡Sin sal!"), way);
    const png = decode(writePng(picture), { checkCrc: true });
    expect(png).toMatchObject({ width, height: picture.height, depth: 1, channels: 1 });
    const bits = Array.from(png.data, (byte) => (byte ^ 0xff).toString(2).padStart(8, "0")).join("");
    expect(bits).toBe(picture.dots.join(""));
  });
});

describe("a logo", () => {
  const [width, height] = [20, 10];
  const at = <T>(value: (x: number, y: number) => T): T[] =>
    Array.from({ length: width * height }, (_, n) => value(n % width, Math.floor(n / width)));
  const isBlack = (x: number, y: number): boolean => (x + y) % 3 === 0;
  const wanted = at((x, y) => (isBlack(x, y) ? 0 : 255));

  const packed = (depth: 1 | 2 | 4): Uint8Array => {
    const row = Math.ceil((width * depth) / 8);
    const data = new Uint8Array(row * height);
    for (const [n, value] of wanted.entries()) {
      const bit = (n % width) * depth;
      const ink = value === 0 ? 0 : 2 ** depth - 1;
      const byte = Math.floor(n / width) * row + (bit >> 3);
      data[byte] = (data[byte] ?? 0) | (ink << (8 - depth - (bit & 7)));
    }
    return data;
  };
  const bytes = (values: number[][]): Uint8Array => Uint8Array.from(values.flat());
  const grey = at((x, y) => (isBlack(x, y) ? [0] : [255]));
  const cases: [string, Partial<DecodedPng> & Pick<DecodedPng, "data" | "channels">, interlace?: "Adam7"][] =
    [
      ["grey", { data: bytes(grey), channels: 1 }],
      ["interlaced", { data: bytes(grey), channels: 1 }, "Adam7"],
      ["of 1 bit", { data: packed(1), channels: 1, depth: 1 }],
      ["of 2 bits", { data: packed(2), channels: 1, depth: 2 }],
      ["of 4 bits", { data: packed(4), channels: 1, depth: 4 }],
      ["of 16 bits", { data: Uint16Array.from(grey.flat(), (each) => each * 257), channels: 1, depth: 16 }],
      ["in colour", { data: bytes(grey.map(([each = 0]) => [each, each, each])), channels: 3 }],
      [
        "clear where it is white",
        { data: bytes(at((x, y) => (isBlack(x, y) ? [0, 0, 0, 255] : [9, 9, 9, 0]))), channels: 4 },
      ],
      ["grey and clear", { data: bytes(at((x, y) => (isBlack(x, y) ? [0, 255] : [40, 0]))), channels: 2 }],
      [
        "with a palette",
        {
          data: packed(1),
          channels: 1,
          depth: 1,
          palette: [
            [0, 0, 0],
            [255, 255, 255],
          ],
        },
      ],
      [
        "with a palette and what is clear in it",
        {
          data: packed(1).map((byte) => byte ^ 0xff),
          channels: 1,
          depth: 1,
          palette: [
            [0, 0, 0, 0],
            [0, 0, 0, 255],
          ],
        },
      ],
    ];
  it.each(cases)("is read %s", (_, picture, interlace) => {
    const png = encode({ width, height, depth: 8, ...picture }, interlace && { interlace });
    expect(inspectPng(png)).toBeUndefined();
    expect(Array.from(readPng(png).grey)).toEqual(wanted);
  });

  it("is refused by what its head says, before it is read", () => {
    const png = Buffer.from(encode({ width, height, data: packed(1), channels: 1, depth: 1 }));
    const changed = (place: number, value: number): Buffer => {
      const copy = Buffer.from(png);
      copy[place] = value;
      return copy;
    };
    expect(inspectPng(changed(28, 1))).toBe("interlaced");
    expect(inspectPng(changed(17, 1))).toBe("too_large");
    expect(inspectPng(changed(22, 255))).toBe("too_large");
    expect(inspectPng(png.subarray(0, 20))).toBe("not_png");
    expect(inspectPng(Buffer.from("GIF89a"))).toBe("not_png");
    expect(() => readPng(changed(45, 7))).toThrow();
    expect(() => readPng(png.subarray(0, 50))).toThrow();
  });

  /** A PNG of these chunks behind its head. */
  const madeOf = (head: number[], ...chunks: [string, Uint8Array][]): Buffer => {
    const part = (type: string, data: Uint8Array): Buffer => {
      const named = Buffer.concat([Buffer.from(type), data]);
      const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
      ends[0].writeUInt32BE(data.length);
      ends[1].writeUInt32BE(crc32(named));
      return Buffer.concat([ends[0], named, ends[1]]);
    };
    const facts = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...head.slice(2), 0, 0, 0]);
    facts.writeUInt32BE(head[0] ?? 0, 0);
    facts.writeUInt32BE(head[1] ?? 0, 4);
    const parts = [["IHDR", facts], ...chunks, ["IEND", Buffer.alloc(0)]] as [string, Uint8Array][];
    return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts.map((each) => part(...each))]);
  };
  const bomb = deflateSync(Buffer.alloc(256 << 20), { level: 1 });
  const dots = deflateSync(Buffer.alloc(10 * 11));

  it.each([
    ["dots that unpack to more than its head says", [["IDAT", bomb]], true],
    [
      "dots in two chunks that do",
      [
        ["IDAT", bomb.subarray(0, 9_000)],
        ["IDAT", bomb.subarray(9_000)],
      ],
      true,
    ],
    [
      "a profile of colours that is large",
      [
        ["iCCP", Buffer.concat([Buffer.from("x\0\0"), bomb])],
        ["IDAT", dots],
      ],
      false,
    ],
    [
      "a text that is large",
      [
        ["zTXt", Buffer.concat([Buffer.from("x\0\0"), bomb])],
        ["IDAT", dots],
      ],
      false,
    ],
  ] as [string, [string, Uint8Array][], boolean][])("is read within its size: %s", (_, chunks, isRefused) => {
    const png = madeOf([10, 10, 8, 0], ...chunks);
    expect(inspectPng(png)).toBeUndefined();
    const before = { cpu: process.cpuUsage().user, bytes: process.memoryUsage().rss };
    if (isRefused) expect(() => readPng(png)).toThrow("larger than");
    else expect(readPng(png)).toMatchObject({ width: 10, height: 10 });
    expect(process.cpuUsage().user - before.cpu).toBeLessThan(1_000_000);
    expect(process.memoryUsage().rss - before.bytes).toBeLessThan(64 << 20);
  });

  it("of the largest size takes seconds and 300 MB at most", () => {
    const png = madeOf(
      [2_000, 2_000, sized(8, 16), 6],
      ["IDAT", deflateSync(Buffer.alloc(2_000 * sized(8_001, 16_001)))],
    );
    const before = { cpu: process.cpuUsage().user, bytes: process.memoryUsage().rss };
    expect(readPng(png)).toMatchObject({ width: 576, height: 576 });
    expect(process.cpuUsage().user - before.cpu).toBeLessThan(5_000_000);
    expect(process.memoryUsage().rss - before.bytes).toBeLessThan(300 << 20);
  });
});
