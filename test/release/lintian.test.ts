import { join } from "node:path";
import { expect, it } from "vitest";
import { release } from "../../scripts/release/about.ts";
import { debOf } from "../../scripts/release/targets.ts";
import { ended } from "./support.ts";

// The one for arm64 has the same files, and takes as long again.
const deb = join(release, debOf("amd64"));

it("the Debian package has no fault that lintian knows, and no script of its own", async () => {
  const { code, stdout, stderr } = await ended(["lintian", "--fail-on", "error", deb]);
  if (code === "ENOENT") process.stdout.write("lintian NOT TRIED: it is not installed\n");
  else expect(code, stdout + stderr).toBe(0);
  const control = await ended(["dpkg-deb", "--info", deb]);
  expect(control.stdout).not.toMatch(/postinst|prerm|preinst|postrm/);
});
