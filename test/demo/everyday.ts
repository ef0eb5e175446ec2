// The day goes on after the month: the same people ask in real time, so the console lives.
import { Chance } from "./chance.ts";
import type { Client } from "./client.ts";
import type { Act } from "./plan.ts";
import type { Month } from "./month.ts";
import { isTask } from "./work.ts";

/** Two vendors have a bad day, so that a channel is kept out and another one rests. */
const failing = { deepseek: 503, "anthropic-eu": 429 };
const leastMs = 400;
const mostMs = 2600;
/** A gateway that is stopped, or does not answer for a moment. */
const isGone = (error: unknown) => error instanceof Error;

/** Until the signal; what is under way then is left to end by itself. */
export async function goOn(month: Month, client: Client, signal: AbortSignal): Promise<void> {
  const chance = new Chance("everyday");
  const usual = month.acts.filter(({ ask }) => !isTask(ask.path));
  month.vendors.goLive({ failing });
  while (!signal.aborted) {
    void ask(client, chance.one(usual));
    await Bun.sleep(chance.between(leastMs, mostMs));
  }
}

async function ask(client: Client, act: Act): Promise<void> {
  try {
    await client.ask({ ...act, isLeaving: false });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
