import { columnsByPaper, type Paper, Receipt } from "./receipt.ts";

type TestWords = Record<"test" | "testBold" | "testLarge" | "reprint" | "testEnd", string> & {
  testWidth: (paper: string, columns: string) => string;
};

/** What shows at a glance whether width, letters, sizes and cut are right. */
export function testReceipt(paper: Paper, words: TestWords, station?: string): Uint8Array {
  const columns = columnsByPaper[paper.paper];
  return new Receipt(paper)
    .title(...(station === undefined ? [] : [station]), words.test)
    .line("1234567890".repeat(5).slice(0, columns))
    .line(words.testWidth(String(paper.paper), String(columns)))
    .rule()
    .line("áéíóúüñ ÁÉÍÓÚÜÑ ¿? ¡! $ € °")
    .strong(words.testBold)
    .large("2 × ", words.testLarge, "$ 1.234,50")
    .banner(words.reprint)
    .box(words.testEnd)
    .bytes();
}
