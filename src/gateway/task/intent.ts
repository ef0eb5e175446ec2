// A task before anyone has heard of it: what is asked for, by whom and at what price. It is on
// record with its money, its exact channel and key, before a vendor is called.
import { mediaPriceText } from "../../quota/media-price.ts";
import type { Clock } from "../../core/clock.ts";
import type { Ids, TaskId } from "../../core/ids.ts";
import type { Micros } from "../../core/money.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Wallet } from "../../quota/balance.ts";
import type { Balances } from "../../quota/balances.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { Create, Task, TaskFacts, TaskPlace } from "../../tasks/task.ts";
import { openWallet } from "../payer.ts";
import { keyDigest } from "./vendor-call.ts";

export interface IntentNeeds {
  ids: Ids;
  clock: Clock;
  book: TaskBook;
  balances: Balances;
  rules: { readonly deadlineMs: number };
}

interface TaskDraft extends Pick<
  TaskFacts,
  "kind" | "family" | "model" | "job" | "price" | "webhookUrl" | "trace" | "label"
> {
  /** Those that a channel may know the model by, the one to prefer first. */
  names: readonly string[];
  caller: Caller;
  /** The most that it can cost. */
  micros: Micros;
  /** The client's field that bounds that. */
  lower: string | null;
  /** The mark that tells the same create when it comes again. */
  create: Create | null;
}

export class Intent {
  readonly id: TaskId;
  readonly draft: TaskDraft;
  readonly #needs: IntentNeeds;
  readonly #wallet: Wallet;
  readonly #createdAtMs: number;
  #isAdded = false;

  static async open(needs: IntentNeeds, draft: TaskDraft): Promise<Intent> {
    return new Intent(needs, draft, await openWallet(needs, draft.caller, draft));
  }

  private constructor(needs: IntentNeeds, draft: TaskDraft, wallet: Wallet) {
    this.#needs = needs;
    this.draft = draft;
    this.#wallet = wallet;
    this.id = needs.ids.task();
    this.#createdAtMs = needs.clock.nowMs();
  }

  get deadlineAtMs(): number {
    return this.#createdAtMs + this.#needs.rules.deadlineMs;
  }

  /**
   * The intent, with the exact channel and key, is safe before the vendor hears of it. `request` is
   * what another process needs to begin it.
   */
  async record(
    place: TaskPlace,
    state: "submitting" | "queued" = "submitting",
    request: string | null = null,
  ): Promise<void> {
    const { book } = this.#needs;
    if (this.#isAdded) {
      await book.change(this.id, { ...place, state });
      return;
    }
    this.#isAdded = true;
    const { caller, model, micros, lower, price, create } = this.draft;
    const { group } = caller;
    const ask = { ...this.#wallet, group, model, micros, lower, price: mediaPriceText(price) };
    await book.add(this.#toTask(place, state), ask, create, request);
  }

  #toTask(place: TaskPlace, state: Task["state"]): Task {
    const { kind, family, model, job, price, webhookUrl, trace, label, caller, micros } =
      this.draft;
    return {
      id: this.id,
      kind,
      accountId: caller.accountId,
      keyId: caller.keyId,
      group: caller.group,
      family,
      model,
      job,
      price,
      heldMicros: micros,
      webhookUrl,
      createdAtMs: this.#createdAtMs,
      deadlineAtMs: this.deadlineAtMs,
      trace,
      label,
      ...place,
      state,
      progress: 0,
      operation: null,
      result: null,
      delivered: { seconds: null, tokens: null },
      error: null,
      nextPollAtMs: null,
      completedAtMs: null,
      deletedAtMs: null,
    };
  }
}

export function taskPlaceOf({ channel, key }: Choice, names: readonly string[]): TaskPlace {
  return {
    channelId: channel.settings.id,
    keyDigest: keyDigest(key),
    upstreamModel: channel.upstreamModelOf(names),
  };
}
