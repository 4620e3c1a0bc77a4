import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { epoch, root } from "./about.ts";
import { run } from "./run.ts";
import { targets } from "./targets.ts";

/** A package in the output of `npm sbom`, as far as it is read here. */
interface Component {
  "bom-ref": string;
  type: string;
  name: string;
  version: string;
  purl?: string;
  [fact: string]: unknown;
}

interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  [fact: string]: unknown;
}

interface Lock {
  packages: Record<string, { version: string; integrity: string }>;
}

/** The packages in the build, as `name@version`, by the headings of their licences. */
export const bundledIn = (notices: string): string[] =>
  [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d[\w.-]*) \(.*\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );

const licensed = (id: string): object[] => [{ license: { id } }];

/** jq itself, compiled, is inside of a package. */
const jq: Component = {
  "bom-ref": "jq@1.8.2",
  type: "library",
  name: "jq",
  version: "1.8.2",
  purl: "pkg:github/jqlang/jq@jq-1.8.2",
  licenses: licensed("MIT"),
};

/** Node as it is in the executables, with the checksums of the packages that it comes from. */
function nodes(): Component[] {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, "package-lock.json"), "utf8")) as Lock;
  return targets.map(({ name, from }) => {
    const { version, integrity } = lock.packages[`node_modules/${from}`] ?? { version: "", integrity: "" };
    const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
    return {
      "bom-ref": `node@${version}-${name}`,
      type: "platform",
      name: "node",
      version,
      description: `Node.js in bpos for ${name}, from the package ${from}`,
      purl: `pkg:npm/${from}@${version}`,
      hashes: [{ alg: "SHA-512", content }],
      licenses: licensed("MIT"),
    };
  });
}

/** An identifier that the same content always has. */
function toSerial(content: string): string {
  const hex = createHash("sha256").update(content).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join("-")}`;
}

/** Makes the bill of materials: what is bundled, what npm installs beside it, and Node for the executables. */
export async function makeSbom(): Promise<string> {
  const read = async (...flags: string[]): Promise<Sbom> =>
    JSON.parse(await run("npm", ["sbom", "--sbom-format", "cyclonedx", ...flags], { cwd: root })) as Sbom;
  const sbom = await read();
  const installed = await read("--omit", "dev");
  const bundled = bundledIn(readFileSync(join(root, "dist/THIRD-PARTY.txt"), "utf8"));
  const wanted = new Set([...bundled, ...installed.components.map((each) => each["bom-ref"])]);
  const found = sbom.components.filter((each) => wanted.has(each["bom-ref"]));
  const lost = bundled.filter((ref) => !found.some((each) => each["bom-ref"] === ref));
  if (lost.length > 0) throw new Error(`npm sbom does not name ${lost.join(", ")}`);

  const components = [...found, jq, ...nodes()];
  const { component } = sbom.metadata;
  Object.assign(component, { name: "bpos", type: "application" });
  sbom.metadata.timestamp = new Date(epoch * 1_000).toISOString();
  sbom.components = components;
  sbom.dependencies = [
    { ref: component["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) },
    ...sbom.dependencies
      .filter(({ ref }) => wanted.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => wanted.has(each)) })),
  ];
  sbom.serialNumber = toSerial(JSON.stringify({ ...sbom, serialNumber: undefined }));
  return `${JSON.stringify(sbom, null, 2)}\n`;
}
