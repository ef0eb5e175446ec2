#!/usr/bin/env node
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";
import { launch } from "./launch.mjs";

ensureInstalled(root, { omitDev: true });
launch([join(root, "src", "main.ts"), ...process.argv.slice(2)]);
