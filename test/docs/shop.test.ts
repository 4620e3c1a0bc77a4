import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { textsIn } from "../../src/texts/texts.ts";
import { readable } from "../support/printed.ts";
import { fixture, root, shell, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";
import { sized } from "../support/soak.ts";
import { virtualPrinter } from "../support/virtual-printer.ts";

interface StatusJson {
  branches: { outputs: { undelivered: number }[] }[];
}

/** The words of each line of a page's blocks, as somebody types them one after another. */
const linesOf = (page: string): string[][] =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = ""]) => block.trimEnd().split("\n"))
    .map((line) =>
      line
        .replace(/\s+#.*/, "")
        .split(/\s+/)
        .slice(1),
    );

const printingPage = "docs/how-to/printing.md";
/** The lines of the page about printing that lead on from the tutorial: layouts and stations. */
const furtherLines = (): string[][] =>
  linesOf(printingPage).filter((words) =>
    /^(printer preview --layout \S+$|profile add centro --update --layout|profile station add|printer stations)/.test(
      words.join(" "),
    ),
  );

const watchLine = "orders watch --compact --late 10m --printer";
const shopPages = [
  ["docs/es/tutorials/shop.md", "es", textsIn("es")],
  ["docs/tutorials/shop.md", "en", textsIn("en")],
] as const;
it.each(shopPages.slice(0, sized(1, 2)))(
  "%s leads from a printer's test and the questions of bpos init to orders on paper, each once after a restart too",
  async (page, lang, texts) => {
    // Without orders of its own: they would come while this runs.
    const { mock } = await service({ scenario: "empty" });
    const printer = await virtualPrinter();
    const folder = temporaryFolder();
    for (const name of ["prices.xlsx", "precios.xlsx"])
      copyFileSync(fixture("catalog.xlsx"), join(folder, name));
    const [, layout = ""] =
      /^```json\n(\{\s*"header".*?)^```/ms.exec(readFileSync(join(root, printingPage), "utf8")) ?? [];
    writeFileSync(join(folder, "layout.json"), layout);
    copyFileSync(fixture("layouts/logo.png"), join(folder, "logo.png"));
    const run = shell({ terminal: 100, env: { BPOS_LANG: lang, NO_COLOR: "1" }, cwd: folder });
    const good = texts.t("Everything: one full row of digits, accents, a box, and a cut at the end");
    const answers = [
      ...["centro", mock.baseUrl, mock.campaignsBaseUrl, "bpk_demo_centro", "", texts.t("the real branch")],
      ...[true, printer.url, good],
    ];

    /** Resolves when the journal has no order that the printer still lacks: one that is stopped before prints again. */
    const delivered = () =>
      expect
        .poll(
          async () => {
            const { branches } = JSON.parse((await run(["status", "--json"])).stdout) as StatusJson;
            return branches.flatMap(({ outputs }) => outputs.filter(({ undelivered }) => undelivered > 0));
          },
          { timeout: 15_000 },
        )
        .toEqual([]);

    const waiting = await mock.control.placeOrders({ count: 3 });
    const expected = waiting.map(({ order_id }) => String(order_id));
    const [oldest = "none"] = expected;
    let watches = 0;
    let paper = 0;
    const codes: Record<string, number> = {};
    const further = furtherLines();
    expect(further.length).toBeGreaterThanOrEqual(4);
    for (const words of [...linesOf(page), ...further]) {
      const argv = words.map((word) => (word.startsWith("tcp://192.168.1.5") ? printer.url : word));
      const line = words.join(" ");
      const isWatch = line === watchLine;
      if (line === "init" || line.startsWith("printer test")) paper += 1;
      if (isWatch) {
        const [placed] = await mock.control.placeOrders();
        expected.push(String(placed?.order_id));
        // The first prints every order that waits, the second only the one that came in between.
        paper += watches === 0 ? expected.length : 1;
        watches += 1;
      }
      let isSeen = (): void => undefined;
      const seen = new Promise<void>((resolve) => {
        isSeen = resolve;
      });
      const { code, stdout, stderr } = await run(argv, {
        ...(line === "init" && { answers }),
        onStart(stop) {
          if (isWatch)
            void Promise.all([printer.printed(paper), seen])
              .then(delivered)
              .then(stop);
        },
        onError(text) {
          if (text.includes(oldest)) isSeen();
        },
      });
      codes[line] = code;
      expect(stdout + stderr, line).not.toMatch(/Error:|✗/);
    }

    // A watch was stopped, a row of the list is rejected, and some of its categories have no station.
    expect(Object.entries(codes).filter(([, code]) => code !== 0)).toEqual([
      [watchLine, 130],
      [expect.stringMatching(/^catalog check/), 3],
      [expect.stringMatching(/^catalog push/), 3],
      ["printer stations", 3],
    ]);
    expect(watches).toBe(2);
    const receipts = printer.receipts.map(readable);
    expect(printer.receipts.map(({ acts }) => acts)).toEqual(Array(paper).fill(["cut"]));
    expect(receipts[0]).toBe(receipts[1]);
    const printed = receipts.slice(2);
    expect(printed.map((receipt) => expected.filter((id) => receipt.includes(id)))).toEqual(
      expected.map((id) => [id]),
    );
    for (const receipt of printed) expect(receipt).toMatch(lang === "en" ? /COLLECT|PAID/ : /COBRAR|PAGADO/);
  },
);
