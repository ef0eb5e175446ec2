// Entry of the one executable. Some of the runtime's settings are read only as a process starts, so
// a gateway becomes itself once more, under the same process id, with those it lacks.
import { gatewaySettings } from "./settings.mjs";

const words = process.argv.slice(2);
const lacks = Object.keys(gatewaySettings).filter((name) => process.env[name] === undefined);
if (words.includes("serve") && lacks.length > 0) {
  const environment = { ...gatewaySettings, ...process.env };
  process.execve(process.execPath, [process.execPath, ...words], environment);
}
await import("../src/main.ts");
