#!/usr/bin/env node
import { bundle } from "./bundle.mjs";
import { ensureInstalled, root } from "./install.mjs";
import { launch } from "./launch.mjs";
import { gatewaySettings } from "./settings.mjs";

ensureInstalled(root, { omitDev: true });
launch([bundle(), ...process.argv.slice(2)], gatewaySettings);
