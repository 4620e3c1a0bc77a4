import { describe, expect, it } from "vitest";
import { printable, Receipt } from "../../src/printing/receipt.ts";
import { printed, readable } from "../support/printed.ts";
import { randomOf, seed, sized } from "../support/soak.ts";

const paper = { paper: 80, drawer: false, beep: false } as const;

describe("a text for paper", () => {
  it.each([
    ["áéíóúñÁÉÍÓÚÑ¿¡üÜçãõº°€½", "áéíóúñÁÉÍÓÚÑ¿¡üÜçãõº°€½"],
    ["pin\u0303a de jamo\u0301n", "piña de jamón"],
    ["“muy” ‘picante’ – 2 × 3…", "\"muy\" 'picante' - 2 × 3..."],
    ["Őz Žižkov Ｐｉｚｚａ ﬁn", "Oz Zizkov Pizza fin"],
    ["sin 🧅 ni 🌶️, 👍🏽", "sin ? ni ?, ?"],
    ["比萨 пицца", "?? ?????"],
    ["dos\r\nlíneas\ty más", "dos  líneas y más"],
    ["\u001b@\u001dV\u0000\u0010\u0014\u0007\u0085‮", "@V"],
  ])("%j is %j", (text, onPaper) => expect(printable(text)).toBe(onPaper));

  it("is cut where it would be metres of paper", () => {
    expect(printable("x".repeat(5_000))).toBe(`${"x".repeat(1_000)}...`);
  });

  it.each(["escpos", "star"] as const)("has every letter that it keeps, in %s", (language) => {
    const letters = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).filter(
      (each) => printable(each) === each && each > "~",
    );
    const receipt = new Receipt({ ...paper, language });
    for (const letter of letters) receipt.line(letter);
    const [onPaper] = printed(receipt.bytes(), language);
    expect(letters.length).toBeGreaterThan(90);
    expect(
      onPaper?.lines
        .map(({ text }) => text)
        .join("")
        .trim(),
    ).toBe(letters.join(""));
  });
});

describe("the lines of a receipt", () => {
  it.each(["escpos", "star"] as const)(
    "command a printer only as they should, whatever the texts, in %s",
    (language) => {
      const random = randomOf(`receipt ${language}`);
      const any = (): string =>
        Array.from({ length: Math.floor(random() * 80) }, () =>
          String.fromCodePoint(Math.floor(random() < 0.7 ? random() * 0x100 : random() * 0xd800)),
        ).join("");
      for (let n = 0; n < sized(10, 500); n++) {
        const receipt = new Receipt({ paper: random() < 0.5 ? 58 : 80, language, drawer: true, beep: true });
        receipt.banner(any()).title(any(), any()).heading(any()).line(any()).strong(any()).box(any());
        receipt.large(any(), any(), any()).inset(any(), any()).amount(any(), any(), true).rule();
        const receipts = printed(receipt.bytes(), language);
        expect(receipts, `seed ${seed}`).toHaveLength(1);
        expect(receipts[0]?.unknown).toEqual([]);
        expect(receipts[0]?.acts).toEqual(["beep", "drawer", "cut"]);
      }
    },
  );

  it.each([58, 80] as const)("fit on paper of %i mm, amounts whole", (width) => {
    const receipt = new Receipt({ ...paper, paper: width, language: "escpos" });
    receipt.large("12 × ", "Pizza de muzzarella con aceitunas y anchoas", "$ 1.234.567,00");
    receipt.inset("     + ", "Extra queso sardo rallado en el momento por el mozo", {});
    receipt.amount("Envío hasta la puerta de la casa", "$ 1.234.567.890,00");
    const columns = width === 58 ? 32 : 48;
    const bytes = receipt.bytes();
    const lines = printed(bytes, "escpos", 1_000)[0]?.lines ?? [];
    for (const { text } of lines) expect(text.length).toBeLessThanOrEqual(columns);
    const text = readable({ lines, acts: [], unknown: [] });
    for (const amount of ["$ 1.234.567,00", "$ 1.234.567.890,00"])
      expect(text).toMatch(
        new RegExp(`^.{${columns - amount.length}}${amount.replace(/[$.]/g, "\\$&")}$`, "m"),
      );
    expect(text.replace(/\s+/g, " ")).toContain("+ Extra queso sardo rallado en el momento por el mozo");
  });
});
