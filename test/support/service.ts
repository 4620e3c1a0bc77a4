import { onTestFinished } from "vitest";
import { defineScenario } from "../../src/mock/core/world/scenarios.ts";
import { type RunningMock, type Scenario, type StartMockOptions, startMock } from "../../src/mock/index.ts";
import { proxyServer } from "./proxy-server.ts";

/** The scenario demo without what happened before it: a test finds what it did itself, and no more. */
const { stories: _, ...untoldDemo } = defineScenario("demo");
export const untold: Scenario = untoldDemo;

/** A mock that stops when the test ends, and the environment that points a command at it. */
export async function service(
  options: StartMockOptions = {},
): Promise<{ mock: RunningMock; env: Record<string, string> }> {
  const mock = await startMock({ scenario: untold, ...options });
  onTestFinished(() => mock.close());
  return { mock, env: pointedAt(mock.baseUrl, mock.campaignsBaseUrl, mock.keys[0]!.key) };
}

/** The same mock as a real service on loopback: no answer names its world, so that a reset empties it and no more. */
export async function realService(
  options: StartMockOptions = {},
): Promise<{ mock: RunningMock; env: Record<string, string> }> {
  const { mock } = await service(options);
  const { port } = await proxyServer({ leadsTo: () => mock, hidesWorld: true });
  const url = `http://127.0.0.1:${port}`;
  return { mock, env: pointedAt(url, `${url}/messaging`, mock.keys[0]!.key) };
}

/** The environment that points a command at a service. */
export function pointedAt(
  baseUrl: string,
  campaignsBaseUrl = baseUrl,
  key = "bpk_test_secret_0123456789",
): Record<string, string> {
  return { BPOS_BASE_URL: baseUrl, BPOS_CAMPAIGNS_URL: campaignsBaseUrl, BPOS_API_KEY: key };
}
