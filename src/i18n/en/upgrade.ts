/** What `bpos upgrade --check` says, and the line of `update_check`. */
export const upgrade = {
  newest: (version: string) => `bpos ${version} is the newest version.`,
  newer: (latest: string, version: string) => `bpos ${latest} is available; this is ${version}.`,
  download: (file: string) => `Download ${file} from where you got this one.`,
  replace: "Put the executable in it in the place of this one.",
  run: (command: string) => `To upgrade: ${command}`,
  known: (latest: string, version: string) =>
    `bpos ${latest} is available; this is ${version}. \`bpos upgrade --check\` says how to upgrade.`,
};
