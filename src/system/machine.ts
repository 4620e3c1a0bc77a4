import { homedir, userInfo } from "node:os";

/** The person's folder. In a container there may be no such person: then it is the root, where nothing can be kept. */
function homeFolder(): string {
  try {
    return homedir() || userInfo().homedir || "/";
  } catch {
    return "/";
  }
}

/** The facts that decide where our own files are, and who may change them. */
export function realMachine() {
  return {
    env: process.env,
    homedir: homeFolder(),
    platform: process.platform,
    uid: process.geteuid?.(),
    nodeVersion: process.versions.node,
  };
}
