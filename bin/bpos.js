#!/usr/bin/env node
// Imports nothing before it knows the version, and uses the syntax of Node 12, so that an old Node can print the message.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  const locale = ["BPOS_LANG", "LC_ALL", "LC_MESSAGES", "LANG"]
    .map((name) => process.env[name])
    .find(Boolean);
  const isSpanish = /^es/i.test(locale || "");
  const told = isSpanish
    ? `bpos necesita Node 20.19 o posterior, y este es ${process.version}.`
    : `bpos needs Node 20.19 or newer, and this is ${process.version}.`;
  process.stderr.write(`${told}\n`);
  process.exitCode = 9;
} else {
  require("../dist/start.cjs")
    .start(process.argv.slice(2))
    .then((code) => {
      process.exitCode = code;
    });
}
