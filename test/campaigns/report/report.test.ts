import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CampaignReport } from "../../../src/campaigns/report/collect.ts";
import { openRows } from "../../../src/input/rows.ts";
import { errorOf, recipientsFile, rows, send } from "../../support/campaigns.ts";
import { listenIn, postReply } from "../../support/listen.ts";
import { home } from "../../support/profiles.ts";
import { temporaryFolder } from "../../support/run.ts";
import { service } from "../../support/service.ts";

/** The messages to them fail, wait, are not read, and are answered. */
const [failing, waiting, unread, ana] = ["0000", "0001", "0002", "0003"].map((end) => `+549115555${end}`);
const mexican = "+525512340003";
const hostile = `<script>alert(1)</script>"'&\u202e`;
const people = [
  ...[
    `${failing},Leo,1`,
    `${waiting},Eva,2`,
    `${unread},Luz,3`,
    `"${ana}","${hostile.replaceAll('"', '""')}",4`,
  ],
  `${mexican},Sol,5`,
];

/** A desk that sent to five people, of whom one answered in a way that no page may carry out. */
async function desk(list: readonly string[] = people) {
  const { mock, env } = await service();
  const { run, write } = home({ env: { ...env, NO_COLOR: "1" } });
  write({
    default: "centro",
    profiles: { centro: { country: "AR", rates: { currency: "USD", AR: "0.0618", MX: "0.0436" } } },
  });
  const sent = await run(send(recipientsFile(list), "--yes", "--ref", "enero", "--json"));
  const [{ campaign_id: id } = { campaign_id: "" }] = (
    JSON.parse(sent.stdout) as { campaigns: { campaign_id: string }[] }
  ).campaigns;
  await mock.control.moveClock({ advance_ms: 3_600_000 });
  const folder = temporaryFolder();
  const report = (...more: string[]) => run(["campaign", "report", "enero", ...more]);
  return { mock, run, id, report, path: (name: string) => join(folder, name) };
}

async function answered() {
  const { run, id, ...rest } = await desk();
  const { url, stop, events } = await listenIn(run);
  await postReply(url, { campaign_id: id, phone: ana, text: `<img src=x onerror=alert(2)> ${hostile}` });
  await postReply(url, { external_ref: "enero", text: "=1+1" });
  await postReply(url, { campaign_id: id, phone: mexican, text: "Baja!" });
  // As it is dialled in the country of the profile.
  await postReply(url, { campaign_id: id, phone: "011 15 5555-0002", text: "¿me das de baja?" });
  await postReply(url, { campaign_id: "another", external_ref: "enero", phone: ana, text: "of another" });
  await expect.poll(events).toHaveLength(5);
  await stop();
  return { run, id, ...rest };
}

const read = (stdout: string): CampaignReport & { files: string[] } =>
  JSON.parse(stdout) as CampaignReport & { files: string[] };

describe("campaign report", () => {
  it("counts what the journal and the service know, by reference and by campaign", async () => {
    const { run, id, report } = await answered();
    const { code, stdout } = await report("--json");
    expect(code).toBe(0);
    const found = read(stdout);
    expect(found).toMatchObject({
      ...{
        external_ref: "enero",
        template: "pedido_listo",
        campaign_ids: [id],
        calls: { all: 1, answered: 1 },
      },
      ...{ recipients_listed: 5, recipients_hidden: 0, files: [] },
      cost: { currency: "USD", total: "0.2908" },
    });
    expect(found.funnel).toEqual([
      { stage: "planned", recipients: 5 },
      { stage: "accepted", recipients: 5 },
      { stage: "sent", recipients: 3 },
      { stage: "delivered", recipients: 3 },
      { stage: "read", recipients: 2 },
      { stage: "responded", recipients: 2 },
    ]);
    expect(found.countries).toEqual([
      { country: "AR", recipients: 4, failed: 1, sent: 2, delivered: 2, read: 1, responded: 1 },
      { country: "MX", recipients: 1, failed: 0, sent: 1, delivered: 1, read: 1, responded: 1 },
    ]);
    expect(found.hours.map(({ at: _, ...counts }) => counts)).toEqual([
      { sent: 3, delivered: 3, read: 2, responded: 2 },
    ]);
    expect(found.errors).toEqual([
      {
        ...{ error: "This phone is not on the messaging platform.", recipients: 1 },
        meaning: expect.stringContaining("Nobody uses the platform") as string,
        advice: expect.stringContaining("mobile number") as string,
      },
    ]);
    expect(found.replies.map(({ phone, text, opt_out }) => [phone, text, opt_out])).toEqual([
      ["+54…0003", `<img src=x onerror=alert(2)> ${hostile}`, null],
      [null, "=1+1", null],
      ["+52…0003", "Baja!", "opted_out"],
      ["+54…0002", "¿me das de baja?", "doubtful"],
    ]);
    expect(found.replies.map(({ name }) => name)).toEqual([hostile, null, "Sol", "Luz"]);

    const { read_at: _, ...whole } = found;
    expect(read((await run(["campaign", "report", id, "--json"])).stdout)).toMatchObject(whole);
    const table = (await report()).stdout;
    for (const part of [
      /Planned +5 +100 %/,
      /Replied +2 +40 %/,
      /Mexico +1 +1/,
      /Total US\$ 0,29\b/,
      "+54…0003",
    ])
      expect(table).toMatch(part);
  });

  it("writes one page that holds no address, runs nothing, and shows no phone", async () => {
    const { report, path } = await answered();
    for (const language of ["en", "es"]) {
      const file = path(`${language}.html`);
      const { code, stdout } = await report("--html", file, "--lang", language);
      expect([code, stdout]).toEqual([0, expect.stringContaining(file)]);
      const page = readFileSync(file, "utf8");
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).toContain("&lt;img src=x onerror=alert(2)&gt; &lt;script&gt;alert(1)&lt;/script&gt;");
      expect(page).toContain("‹U+202E›");
      expect(page).not.toMatch(/<(?:script|img|link|iframe|object|a)\b|https?:|url\(|@import|\son\w+=["']/i);
      expect(page).not.toContain("5555");
      expect(page).toMatch(/default-src &#39;none&#39;|default-src 'none'/);
      if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    const kept = readFileSync(path("en.html"), "utf8");
    expect((await report("--html", path("en.html"))).code).toBe(2);
    expect(readFileSync(path("en.html"), "utf8")).toBe(kept);
    await report("--html", path("en.html"), "--force", "--phones");
    expect(readFileSync(path("en.html"), "utf8")).toContain(ana);
  });

  it("writes a row for each recipient, as CSV and as a workbook, safe in a spreadsheet", async () => {
    const { report, path } = await answered();
    const [csv, xlsx] = [path("r.csv"), path("r.xlsx")];
    const { stdout } = await report("--csv", csv, "--xlsx", xlsx, "--phones", "--json");
    expect(read(stdout).files).toEqual([csv, xlsx]);
    const readRows = async (file: string): Promise<string[][]> => {
      const cells: string[][] = [];
      const source = await openRows({ name: file, bytes: readFileSync(file) }, {}, "rows");
      await source.stream({
        header: (row) => cells.push([...row]),
        row: (row) => cells.push([...row.cells]),
      });
      return cells;
    };
    const [header = [], ...lines] = await readRows(csv);
    expect(lines).toHaveLength(5);
    const first = Object.fromEntries(header.map((name, at) => [name, lines[0]?.[at]]));
    expect(first).toMatchObject({ phone: failing, name: "Leo", country: "AR", line: "2", status: "failed" });
    expect(first["meaning"]).toContain("Nobody uses the platform");
    expect(lines[3]?.at(-1)).toContain("<img src=x");
    expect((await readRows(xlsx))[0]).toEqual(header);
    await report("--csv", csv, "--force");
    expect(readFileSync(csv, "utf8")).not.toContain("5555");
  });

  it("says of how many it knows the rest, and which call has no answer", async () => {
    const { mock, run, report } = await desk(rows(130));
    expect(read((await report("--json")).stdout)).toMatchObject({
      recipients_listed: 100,
      recipients_hidden: 30,
    });
    expect((await report()).stdout).toContain("the 100 recipients that the service lists, of 130");
    await mock.control.addFault({ method: "POST", path: "/campaigns", effect: "drop", times: 1 });
    await run(send(recipientsFile(rows(140, 130)), "--yes", "--ref", "enero", "--retries", "0"));
    expect((await report()).stdout).toContain("1 call has no answer yet: bpos campaign resume enero");
  });

  it("shows a campaign that was sent elsewhere, and refuses what is nobody's", async () => {
    const { mock, run, id } = await desk();
    const { env } = await service();
    const other = home({
      env: { ...env, BPOS_CAMPAIGNS_URL: mock.campaignsBaseUrl, BPOS_API_KEY: "bpk_demo_centro" },
    });
    const found = read((await other.run(["campaign", "report", id, "--json"])).stdout);
    expect(found).toMatchObject({ external_ref: "enero", template: null, at: null, cost: null });
    expect(found.funnel[0]).toEqual({ stage: "sent", recipients: 3 });
    const unknown = await run(["campaign", "report", "enro", "--json"]);
    expect([unknown.code, errorOf(unknown.stderr)["reason"]]).toEqual([2, "send_not_found"]);
    await mock.control.addFault({
      method: "GET",
      path: "/campaigns",
      effect: "status",
      status: 503,
      times: 9,
    });
    const file = join(temporaryFolder(), "r.html");
    expect((await run(["campaign", "report", "enero", "--html", file, "--retries", "0"])).code).toBe(6);
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    writeFileSync(file, "");
    expect((await run(["campaign", "report", "enero", "--html", file])).code).toBe(2);
  });
});
