import { expect, it } from "vitest";
import { fileOf } from "../support/push.ts";
import { runBinary, temporaryFolder } from "../support/run.ts";
import { service } from "../support/service.ts";

it("runs in an environment that holds next to nothing, without HOME or a terminal", async () => {
  const { env, mock } = await service({ scenario: "empty" });
  const file = fileOf("codigo,nombre,precio", "A,Agua,1.50", "B,Bife,2.50");
  const folder = temporaryFolder();
  const bare = { ...env, PATH: "", XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const argv = ["catalog", "push", file, "--changed-only", "-q"];
  for (let n = 0; n < 2; n++)
    expect(await runBinary(argv, { env: bare })).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await mock.control.catalog("demo")).toHaveLength(2);
});
