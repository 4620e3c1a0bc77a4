import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readScenarioDefinition } from "../../src/mock/index.ts";
import { startBinary } from "../../test/support/binary.ts";
import { freePort } from "../../test/support/listen.ts";
import { root, temporaryFolder } from "../../test/support/run.ts";
import { service } from "../../test/support/service.ts";
import { database } from "../support/postgres.ts";

const rules = join(root, "docs/operations/alerts.yml");
const isInstalled = spawnSync("promtool", ["--version"]).status === 0;
const patient = { timeout: 50_000, interval: 250 };
const branches = 200;

const promtool = (...argv: string[]) => spawnSync("promtool", argv, { encoding: "utf8" });

/** The rules with the patience of a test. */
const hasty = (): string =>
  readFileSync(rules, "utf8")
    .replaceAll(/^( +for:) .*$/gm, "$1 0s")
    .replace("> 300", "> 8")
    .replace("[5m]) == 1", "[2s]) == 1");

function writeRuleTest(folder: string): string {
  const test = {
    rule_files: [rules],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: [
          { series: 'up{job="bpos", instance="a"}', values: "1 1 0x20" },
          {
            series: 'bpos_last_complete_poll_timestamp_seconds{branch="centro", instance="a"}',
            values: "0x30",
          },
          { series: 'bpos_branch_state{branch="sur", state="outage", instance="a"}', values: "0 0 1x30" },
          { series: 'bpos_branch_state{branch="norte", state="stopped", instance="a"}', values: "0 1x30" },
          {
            series: 'bpos_orders_undelivered{branch="centro", output="printer", instance="a"}',
            values: "0 0 3x30",
          },
          { series: 'bpos_journal_errors_total{instance="a"}', values: "0 1+1x30" },
        ],
        promql_expr_test: [1, 20].map((minutes) => ({
          expr: "count by (alertname, branch) (ALERTS{alertstate='firing'})",
          eval_time: `${minutes}m`,
          exp_samples: minutes === 1 ? [] : firing,
        })),
      },
    ],
  };
  const file = join(folder, "test.json");
  writeFileSync(file, JSON.stringify(test));
  return file;
}

const firing = [
  ["BposDown"],
  ["BposBranchNotRead", "centro"],
  ["BposBranchNotRead", "sur"],
  ["BposBranchStopped", "norte"],
  ["BposOrdersUndelivered", "centro"],
  ["BposJournalErrors"],
].map(([name, branch]) => ({
  labels: `{alertname="${name}"${branch === undefined ? "" : `, branch="${branch}"`}}`,
  value: 1,
}));

/** A Prometheus that scrapes that port each second, with the hasty rules; ended with the test. */
async function startPrometheus(folder: string, target: string): Promise<string> {
  const port = await freePort();
  writeFileSync(join(folder, "alerts.yml"), hasty());
  const config = join(folder, "prometheus.yml");
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [join(folder, "alerts.yml")],
      scrape_configs: [{ job_name: "bpos", static_configs: [{ targets: [`127.0.0.1:${target}`] }] }],
    }),
  );
  const child: ChildProcess = spawn(
    "prometheus",
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return `http://127.0.0.1:${port}`;
}

interface Query {
  data: { result: { metric: Record<string, string>; value: [number, string] }[] };
}

const asking = (prometheus: string) => async (query: string) => {
  const answer = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await answer.json()) as Query;
  return data.result.map(({ metric, value: [, value] }) => ({ ...metric, value: Number(value) }));
};

// Debian's package prometheus has both: `apt install prometheus`.
describe.runIf(isInstalled)("Prometheus", () => {
  it("takes the rules, and each fires for what it is there for", () => {
    expect(promtool("check", "rules", rules)).toMatchObject({ status: 0 });
    const tested = promtool("test", "rules", writeRuleTest(temporaryFolder()));
    expect(tested.status, tested.stdout + tested.stderr).toBe(0);
  });

  it("scrapes a watch of 200 branches, and pages when the service goes", async () => {
    const shops = Array.from({ length: branches / 10 }, (_, n) => ({
      branch: `b${n}`,
      store_id: String(n + 1),
      keys: Array.from({ length: 10 }, (_each, k) => `bpk_e2e_${n}_${k}_000000`),
      orders: 1,
    }));
    const { mock } = await service({ scenario: readScenarioDefinition({ branches: shops }) });
    const home = temporaryFolder();
    const keys = shops.flatMap((shop) => shop.keys);
    const profiles = keys.map((api_key, n) => [`shop-${n}`, { base_url: mock.baseUrl, api_key }]);
    const config = JSON.stringify({ profiles: Object.fromEntries(profiles) as object });
    writeFileSync(join(home, "config.json"), config, { mode: 0o600 });

    const { url } = await database();
    const port = await freePort();
    const watch = ["orders", "watch", "--all-profiles", "--interval", "3s", "--force", "--health", port];
    const running = startBinary([...watch, "--retries", "0", "-o", "ndjson"], {
      env: { BPOS_HOME: home, BPOS_JOURNAL: url },
    });
    const ask = asking(await startPrometheus(temporaryFolder(), port));

    const value = async (query: string) => (await ask(query).catch(() => []))[0]?.value;
    await vi.waitFor(async () => {
      expect(await value('count(bpos_polls_total{outcome="complete"} > 0)')).toBe(branches);
      expect(await value('sum(bpos_orders_delivered_total{output="stdout"})')).toBe(branches);
    }, patient);
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    const checked = spawnSync("promtool", ["check", "metrics"], { input: await metrics.text() });
    expect(checked.status, checked.stderr.toString()).toBe(0);
    expect(await value('count(ALERTS{alertname="BposBranchNotRead",alertstate="firing"})')).toBeUndefined();

    await mock.close();
    await vi.waitFor(async () => {
      const alerts = 'count(ALERTS{alertname="BposBranchNotRead",alertstate="firing"})';
      expect(await value(alerts)).toBe(branches);
    }, patient);
    expect(await value('sum(bpos_branch_state{state="outage"})')).toBe(branches);
    await running.stop("SIGTERM");
    await vi.waitFor(async () => {
      expect(await value('ALERTS{alertname="BposDown",alertstate="firing"}')).toBe(1);
    }, patient);
  });
});
