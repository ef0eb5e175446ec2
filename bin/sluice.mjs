#!/usr/bin/env node
import { bundle } from "./bundle.mjs";
import { ensureInstalled, root } from "./install.mjs";
import { launch } from "./launch.mjs";

ensureInstalled(root, { omitDev: true });
// The compiler's last tier gains nothing where work is this short, and keeps megabytes of code.
launch([bundle(), ...process.argv.slice(2)], { BUN_JSC_useFTLJIT: "0" });
