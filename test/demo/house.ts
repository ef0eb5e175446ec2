// The demo's data behind the program as its users run it, with a browser before it.
import { needBrowser } from "../harness/chromium.ts";
import { ConsoleHouse } from "../harness/e2e/console.ts";
import { startProcess } from "../harness/gateway.ts";
import type { Client } from "./client.ts";
import { demoPassword } from "./company.ts";
import { liveMonth, type Month, type MonthAsk } from "./month.ts";

export interface DemoHouse extends AsyncDisposable {
  month: Month;
  house: ConsoleHouse;
  /** The month's people, at the gateway that is served now. */
  client: Client;
}

export async function openDemo(ask: MonthAsk): Promise<DemoHouse> {
  const browser = await needBrowser();
  const month = await liveMonth(ask);
  const { folder } = ask;
  const gateway = await startProcess({ folder, isOnFiles: true, environment: month.environment });
  const house = new ConsoleHouse(gateway, browser, () => demoPassword);
  return {
    month,
    house,
    client: month.client.at(gateway.url),
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await month[Symbol.asyncDispose]();
    },
  };
}
