import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { expect, inject, onTestFinished } from "vitest";
import { type Running, startBinary } from "../../test/support/binary.ts";
import { type Run, temporaryFolder } from "../../test/support/run.ts";

let browser: Promise<Browser> | undefined;

/** A running `bpos mock`, and bpos beside it, with a BPOS_HOME of their own. */
export interface Mock {
  url: string;
  process: Running;
  /** Starts bpos, pointed at the mock. */
  start: (...argv: string[]) => Running;
  /** Runs bpos to its end. */
  bpos: (...argv: string[]) => Promise<Run>;
  /** Opens a page of the console in a tab of its own. Once the test is over, it fails for anything that went wrong there. */
  open: (path?: string, options?: BrowserContextOptions) => Promise<Tab>;
}

interface Tab extends Page {
  /** Problems of this tab that are meant to happen: texts of which a problem contains one. */
  expected: string[];
  /** The answer when the page asks; it may not ask where there is none. */
  answer?: boolean;
}

/** Errors of the console, refused and broken requests, violations of the policy, exceptions, pop-ups. */
function watchProblems(page: Tab): void {
  const problems: string[] = [];
  const note = (text: string): void => {
    if (!page.expected.some((part) => text.includes(part))) problems.push(text);
  };
  page.on("console", (message) => {
    // The browser's own line about an answer of 400 and up: the answer is noted below.
    const isStatus = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !isStatus) note(message.text());
  });
  page.on("pageerror", (error) => note(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    if (page.answer === undefined) note(`dialog: ${dialog.message()}`);
    void (page.answer ? dialog.accept() : dialog.dismiss());
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // The stream of a page ends with it.
    if (why !== "net::ERR_ABORTED") note(`${why} ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) note(`${response.status()} ${response.url()}`);
  });
  onTestFinished(() => {
    expect(problems).toEqual([]);
  });
}

/** Opens a page in a tab of its own. Once the test is over, it fails for anything that went wrong there. */
async function openTab(url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  browser ??= chromium.connect(inject("browser"));
  const context = await (await browser).newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 720 },
    ...options,
  });
  // They run in reverse order: the tab is closed last.
  onTestFinished(() => context.close());
  const tab: Tab = Object.assign(await context.newPage(), { expected: [] });
  tab.setDefaultTimeout(10_000);
  watchProblems(tab);
  await tab.goto(url);
  return tab;
}

/** Starts `bpos mock` on a free port, and stops it when the test is over. */
export async function startMock(...flags: string[]): Promise<Mock> {
  const home = temporaryFolder();
  const process = startBinary(["mock", "--port", "0", ...flags], { env: { BPOS_HOME: home } });
  await process.said("\n");
  const { base_url: url } = JSON.parse(process.out()) as { base_url: string };
  const env = { BPOS_HOME: home, BPOS_MOCK: url };
  const start = (...argv: string[]) => startBinary(argv, { env });
  return {
    url,
    process,
    start,
    bpos: (...argv) => start(...argv).ended,
    open: (path = "/", options) => openTab(url + path, options),
  };
}

/** Presses Tab until the element has the focus. */
export async function tabTo(tab: Tab, element: Locator): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    await tab.keyboard.press("Tab");
    if (await element.evaluate((each) => each === document.activeElement)) return;
  }
  expect.fail(`Tab never comes to ${element.toString()}`);
}
