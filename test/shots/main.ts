// npm run shots: six pictures of the console for docs/console.md and the README, of a gateway that
// has had some traffic. They are for people to look at, and are compared with nothing.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { closeBrowser } from "../harness/chromium.ts";
import type { Visit } from "../harness/e2e/console.ts";
import { openTraffic } from "../harness/e2e/traffic.ts";
import { settle } from "../harness/e2e/walk.ts";

const folder = join(import.meta.dir, "..", "..", "docs", "console");
/** So that tables and charts have something to show. */
const requests = 40;

await using traffic = await openTraffic();
for (let count = 0; count < requests; count++) await traffic.ask();
const shots: Readonly<Record<string, Visit>> = {
  overview: { path: "/" },
  trace: { path: `/console/requests/${traffic.retriedId}` },
  playground: { path: "/console/playground", theme: "dark" },
  channels: { path: "/console/channels" },
  ledger: { path: "/console/ledger", theme: "dark" },
  phone: { path: "/", width: 390 },
};
mkdirSync(folder, { recursive: true });
for (const [name, visit] of Object.entries(shots)) {
  await using opened = await traffic.house.open(visit);
  await settle(opened.page);
  await opened.page.screenshot({ path: join(folder, `${name}.png`) });
  process.stdout.write(`${name}.png\n`);
}
await closeBrowser();
