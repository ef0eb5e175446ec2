// Budgets of channels. What a request costs counts at its end, in the window that is open then; one
// that is spent closes the channel to requests that are still to be sent. Nothing is held: who goes
// through a channel is known after the hold.
import type { Clock, Timers } from "../core/clock.ts";
import { describe, type Log } from "../core/log.ts";
import { micros } from "../core/money.ts";
import type { ChannelBudgets } from "../distribution/channel.ts";
import type { Channels } from "../distribution/channels.ts";
import type { KnownBudgets } from "../identity/budgets/budgets.ts";
import type { BudgetLine } from "../identity/budgets/line.ts";
import type { Balances } from "../quota/balances.ts";
import { isCapOpen, type CapBalance, type CapTerms } from "../quota/cap.ts";
import type { Ledger } from "../quota/ledger.ts";

interface CountNeeds {
  balances: Pick<Balances, "peekCaps" | "findCaps">;
  ledger: Pick<Ledger, "countCost">;
  clock: Clock;
  log: Log;
}

interface BudgetNeeds extends CountNeeds {
  channels: Channels;
  budgets: Pick<KnownBudgets, "ofChannel">;
  timers: Timers;
}

class CountedBudgets implements ChannelBudgets {
  readonly #needs: CountNeeds;
  readonly #lines: readonly BudgetLine[];

  constructor(needs: CountNeeds, lines: readonly BudgetLine[]) {
    this.#needs = needs;
    this.#lines = lines;
  }

  /** A window that nobody has opened yet has nothing spent. */
  spentUntilMs(nowMs: number): number {
    const { balances, clock } = this.#needs;
    const wallMs = clock.nowMs();
    let untilMs = 0;
    for (const line of this.#lines) {
      const terms = line.peek(wallMs);
      const [cap] = (terms && balances.peekCaps([terms])) ?? [];
      if (cap && !isCapOpen(cap)) untilMs = Math.max(untilMs, endOf(cap, nowMs - wallMs));
    }
    return untilMs;
  }

  count(costMicros: number): void {
    if (costMicros <= 0) return;
    const { balances, ledger, log } = this.#needs;
    const cost = micros(costMicros);
    const terms = this.#peek();
    const caps = terms && balances.peekCaps(terms);
    if (caps) return ledger.countCost(caps, cost);
    this.#open()
      .then((opened) => ledger.countCost(opened, cost))
      .catch((error: unknown) => {
        log.error("what a channel cost was not counted", { error: describe(error) });
      });
  }

  /** Brings to memory what is open, and what other nodes have spent. */
  async look(): Promise<void> {
    const { balances, clock } = this.#needs;
    const wallMs = clock.nowMs();
    const looked = this.#lines.map((line) => line.peek(wallMs) ?? line.look());
    const terms = (await Promise.all(looked)).filter((one): one is CapTerms => one !== null);
    if (terms.length > 0) await balances.findCaps(terms);
  }

  async #open(): Promise<readonly CapBalance[]> {
    const { balances, clock } = this.#needs;
    const wallMs = clock.nowMs();
    const opened = this.#lines.map((line) => line.peek(wallMs) ?? line.open());
    return await balances.findCaps(await Promise.all(opened));
  }

  /** Null where a window has to be opened first. */
  #peek(): readonly CapTerms[] | null {
    const wallMs = this.#needs.clock.nowMs();
    const all: CapTerms[] = [];
    for (const line of this.#lines) {
      const terms = line.peek(wallMs);
      if (!terms) return null;
      all.push(terms);
    }
    return all;
  }
}

/** Its end by the monotonic clock. */
function endOf({ closesAtMs }: CapBalance, aheadMs: number): number {
  return closesAtMs === null ? Number.POSITIVE_INFINITY : closesAtMs + aheadMs;
}

/** Delay at which a node that sends nothing hears of what others have spent. */
const periodMs = 1000;

/** Gives channels their budgets, whenever what it returns is called. */
export function watchChannelBudgets(needs: BudgetNeeds): () => Promise<void> {
  const { channels, budgets, timers, log } = needs;
  let all: readonly CountedBudgets[] = [];
  const look = async () => {
    for (const one of all) {
      await one.look().catch((error: unknown) => {
        log.warn("budgets of a channel cannot be read", { error: describe(error) });
      });
    }
  };
  timers.every(periodMs, () => void look());
  return async () => {
    const counts: CountedBudgets[] = [];
    for (const channel of channels.all) {
      const lines = budgets.ofChannel(channel.settings.id);
      const count = lines.length === 0 ? null : new CountedBudgets(needs, lines);
      channel.budgets = count;
      if (count) counts.push(count);
    }
    all = counts;
    await look();
  };
}
