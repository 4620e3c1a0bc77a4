#!/usr/bin/env node
import { main } from "../dist/main.js";
import { realSystem } from "../dist/system.js";

process.exitCode = await main(process.argv.slice(2), realSystem());
