// The attempt loop: choose a channel, try it, and go on to the next one when the fault is the
// channel's. It ends with the first byte: what has begun to reach the client is never started anew.
import type { Clock } from "../core/clock.ts";
import { unreachable } from "../core/assert.ts";
import { GatewayError } from "../core/errors.ts";
import type { ChannelId } from "../core/ids.ts";
import type { Random } from "../core/random.ts";
import type { Channel, ChannelKey } from "../distribution/channel.ts";
import { choose, type Choice, type Tried } from "../distribution/choose.ts";
import type { RetryBudget } from "../distribution/retry-budget.ts";

export type Attempt<Served> =
  | { kind: "served"; value: Served }
  /** The client's own fault: every channel would say the same. */
  | { kind: "refused"; error: GatewayError }
  /** The channel's dialect cannot express the request: nothing was sent, another one may. */
  | { kind: "unfit"; error: GatewayError }
  | { kind: "failed"; blame: "channel" | "key" | "load"; error: GatewayError; restMs?: number }
  /** The client is gone. */
  | { kind: "abandoned" };

export interface AttemptNeeds {
  clock: Clock;
  random: Random;
  retryBudget: RetryBudget;
  attemptsMax: number;
  /** A vendor refused the key for good. */
  keyRefused(channel: Channel, key: ChannelKey, reason: string): void;
  attempted(channel: Channel, outcome: Attempt<unknown>): void;
}

const restMsDefault = 2000;

/** How far a request has come, for who asks after it has failed. */
export interface Progress {
  attempts: number;
  channel: Channel | null;
  /** Those that were at fault, one for each attempt that failed. */
  failedChannels: readonly ChannelId[];
}

/** Where a request may go. */
export interface Candidates {
  channels: readonly Channel[];
  /** Among channels of one priority these come first. */
  favours(channel: Channel): boolean;
  /** The channel and key that made what the request builds on: tried before all others. */
  origin: Choice | null;
}

export async function attemptChannels<Served>(
  needs: AttemptNeeds,
  candidates: Candidates,
  progress: Progress,
  tryChannel: (choice: Choice) => Promise<Attempt<Served>>,
): Promise<ServedAttempt<Served>> {
  const tried: Tried = { channels: [], keys: [] };
  needs.retryBudget.earn();
  let last: GatewayError | null = null;
  let unfit: GatewayError | null = null;
  for (let attempts = 1; attempts <= needs.attemptsMax; attempts++) {
    const nowMs = needs.clock.monotonicMs();
    const choice = next(needs, candidates, tried, nowMs);
    if (!choice || (attempts > 1 && !needs.retryBudget.spend())) break;
    const { channel } = choice;
    progress.attempts = attempts;
    progress.channel = channel;
    channel.health.started(nowMs);
    channel.inFlight++;
    let outcome: Attempt<Served>;
    try {
      outcome = await tryChannel(choice);
    } catch (error) {
      channel.inFlight--;
      channel.health.released();
      throw error;
    }
    needs.attempted(channel, outcome);
    if (outcome.kind === "served") {
      channel.health.succeeded();
      return new ServedAttempt(outcome.value, channel);
    }
    channel.inFlight--;
    if (outcome.kind === "failed") {
      progress.failedChannels = [...progress.failedChannels, channel.settings.id];
    }
    const error = conclude(needs, choice, outcome, tried);
    if (outcome.kind === "unfit") {
      unfit = error;
      attempts--;
      progress.attempts = attempts;
    } else {
      last = error;
    }
  }
  throw last ?? unfit ?? new GatewayError("do_request_failed", { message: noneLeft });
}

const noneLeft = "No channel can be used now.";

function next(
  { random }: AttemptNeeds,
  { channels, favours, origin }: Candidates,
  tried: Tried,
  nowMs: number,
): Choice | null {
  if (origin && isOpen(origin, tried, nowMs)) return origin;
  return choose({ candidates: channels, tried, nowMs, random, favours });
}

function isOpen({ channel, key }: Choice, tried: Tried, nowMs: number): boolean {
  if (tried.channels.includes(channel) || tried.keys.includes(key)) return false;
  return !channel.isSaturated && !channel.health.isOut(nowMs) && key.isEnabled;
}

/** Marks what was learned and returns the error to show if nothing else works; throws to stop. */
function conclude(
  needs: AttemptNeeds,
  { channel, key }: Choice,
  outcome: Exclude<Attempt<unknown>, { kind: "served" }>,
  tried: Tried,
): GatewayError {
  switch (outcome.kind) {
    case "refused":
      channel.health.succeeded();
      throw outcome.error;
    case "unfit":
      channel.health.released();
      tried.channels.push(channel);
      return outcome.error;
    case "abandoned":
      channel.health.released();
      throw new GatewayError("client_closed_request");
    case "failed":
      markFailure(needs, { channel, key }, outcome);
      // A refused key says nothing of its siblings, so the channel stays open to them.
      if (outcome.blame === "key") tried.keys.push(key);
      else tried.channels.push(channel);
      return outcome.error;
    default:
      return unreachable(outcome);
  }
}

function markFailure(
  needs: AttemptNeeds,
  { channel, key }: Choice,
  failure: Extract<Attempt<unknown>, { kind: "failed" }>,
): void {
  const nowMs = needs.clock.monotonicMs();
  switch (failure.blame) {
    case "channel":
      channel.health.failed(nowMs);
      break;
    case "key":
      channel.health.released();
      if (channel.settings.keepsKeys) break;
      key.isEnabled = false;
      needs.keyRefused(channel, key, reasonOf(failure.error));
      break;
    case "load":
      channel.health.released();
      if (channel.settings.keepsKeys) break;
      key.restsUntilMs = nowMs + (failure.restMs ?? restMsDefault);
      break;
    default:
      unreachable(failure.blame);
  }
}

/** What the vendor said, which the client is not told. */
function reasonOf({ cause, message }: GatewayError): string {
  return typeof cause === "string" ? cause : message;
}

/** What an attempt brought, with the place on its channel that it still takes up. */
export class ServedAttempt<Served> {
  readonly value: Served;
  readonly channel: Channel;
  #isReleased = false;

  constructor(value: Served, channel: Channel) {
    this.value = value;
    this.channel = channel;
  }

  /** Gives the channel's place back, when the reply has ended. */
  release(): void {
    if (!this.#isReleased) this.channel.inFlight--;
    this.#isReleased = true;
  }
}
