// Installs what is missing, puts the gateway together and runs it.
import { bundle } from "./bundle.mjs";
import { ensureInstalled, root } from "./install.mjs";
import { launch } from "./launch.mjs";
import { gatewaySettings } from "./settings.mjs";

await ensureInstalled(root, { omitDev: true });
launch([bundle(), ...process.argv.slice(2)], gatewaySettings);
