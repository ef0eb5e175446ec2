// The attempt loop: choose a channel, try it, and go on to the next one when the fault is the
// channel's. It ends with the first byte: what has begun to reach the client is never started anew.
import type { Clock } from "../core/clock.ts";
import { unreachable } from "../core/assert.ts";
import { GatewayError } from "../core/errors.ts";
import type { AccountId } from "../core/ids.ts";
import type { Random } from "../core/random.ts";
import type { ConversationPin } from "../distribution/affinity.ts";
import type { Channel, ChannelFailure, ChannelKey } from "../distribution/channel.ts";
import { choose, type Choice, type Tried } from "../distribution/choose.ts";
import type { FallbackReason } from "../config/virtual-model.ts";
import type { KeyRefusal } from "../distribution/doubt.ts";
import { KeyRests } from "../distribution/key-rests.ts";
import type { RetryBudget } from "../distribution/retry-budget.ts";
import { Course } from "./course.ts";
import { noteCandidates } from "./note-candidates.ts";
import type { Progress } from "./progress.ts";
import { ServedAttempt } from "./served-attempt.ts";
import { noteAttempt, shownWords, wordsOf } from "./trail.ts";
import { waitForOne } from "./wait-for-one.ts";
import type { WaitLine } from "./wait-line.ts";

export type Attempt<Served> = AttemptEnd<Served> & {
  /** Status of the vendor's answer that was no success. */
  vendorStatus?: number;
  vendorRequestId?: string;
};

type AttemptEnd<Served> =
  | { kind: "served"; value: Served }
  /** The client's own fault: every channel would say the same. */
  | { kind: "refused"; error: GatewayError; why?: RefusedFor }
  /** The channel's dialect cannot express the request: nothing was sent, another one may. */
  | { kind: "unfit"; error: GatewayError }
  | { kind: "failed"; blame: "channel" | "key"; error: GatewayError }
  | LoadAttempt
  /** The key may be refused, or only this request: that is found out behind it. */
  | SuspectAttempt
  /** It is larger than this channel's own limit: the client reads that if no other takes it. */
  | { kind: "failed"; blame: "size"; error: GatewayError }
  /** The client is gone. */
  | { kind: "abandoned" };

/** Refusals that another model might not make: of a body too long, or one that a filter stopped. */
export type RefusedFor = Extract<FallbackReason, "context" | "refused">;

interface LoadAttempt {
  kind: "failed";
  blame: "load";
  error: GatewayError;
  restMs?: number;
  /** All models of the key are busy, not only the one that was asked for. */
  isOfAccount?: boolean;
}

interface SuspectAttempt {
  kind: "failed";
  blame: "suspect";
  isOfCredit: boolean;
  /** True where more was seen to be named than was known before. */
  namesObjects?: boolean;
  error: GatewayError;
}

export interface AttemptNeeds {
  clock: Clock;
  random: Random;
  retryBudget: RetryBudget;
  rules: { readonly attemptsMax: number };
  /** For channels that are back in a moment; absent where nothing waits. */
  line?: WaitLine;
  /** A vendor refused the key for good. */
  keyRefused(channel: Channel, key: ChannelKey, reason: string): void;
  /** A vendor refused something, and it may have been the key. */
  keySuspected(choice: Choice, refusal: KeyRefusal): void;
  attempted(channel: Channel, outcome: Attempt<unknown>): void;
}

const restMsDefault = 2000;

/** Places a request may go to, and its owner. */
export interface Candidates {
  accountId: AccountId;
  /** Names of the model that is asked for: most have one. */
  names: readonly string[];
  /** It names what a vendor keeps, which other keys may not see, and this one may not either. */
  namesObjects: boolean;
  channels: readonly Channel[];
  /** Among channels of one priority these come first. */
  favours(channel: Channel): boolean;
  /** The channel and key that made what the request builds on: tried before all others. */
  origin: Choice | null;
  /** Those of a tier that its group or name prefers; absent where weights alone decide. */
  prefer?: ((tier: readonly Channel[]) => readonly Channel[]) | undefined;
  /** Member of a virtual model that these channels are for. */
  model?: string;
  /** Those of the next member, by why this one is left; null where none is meant for that. */
  onward?: (why: FallbackReason) => Candidates | null;
  /** About as many as its prompt has; absent where it has none that vendors count. */
  tokensEstimate?: number;
  /** It stays where its prompt cache is; null or absent where the request stands alone. */
  conversation?: ConversationPin | null;
}

export async function attemptChannels<Served>(
  needs: AttemptNeeds,
  candidates: Candidates,
  progress: Progress,
  tryChannel: (choice: Choice, at: Candidates) => Promise<Attempt<Served>>,
): Promise<ServedAttempt<Served>> {
  const course = new Course(candidates);
  const { accountId } = candidates;
  let size: GatewayError | null = null;
  let last: GatewayError | null = null;
  let unfit: GatewayError | null = null;
  let left: Channel | null = null;
  for (let attempts = 1; attempts <= needs.rules.attemptsMax; attempts++) {
    const nowMs = needs.clock.monotonicMs();
    const choice = next(needs, course, progress, nowMs);
    if (choice === null || choice === "busy") {
      const isElsewhere = choice === null && course.goOn(nowMs, attempts === 1);
      if (!isElsewhere && !(await waitForOne(needs, course, progress, { left: choice, nowMs })))
        break;
      attempts--;
      continue;
    }
    const { at, tried } = course;
    if (left && !needs.retryBudget.spend(accountId, left)) break;
    const { channel } = choice;
    if (attempts === 1) needs.retryBudget.earn(accountId, channel);
    progress.attempts = attempts;
    begin(progress, at, choice, nowMs);
    let outcome: Attempt<Served>;
    try {
      outcome = await tryChannel(choice, at);
    } catch (error) {
      giveBack(progress, choice);
      channel.health.released();
      throw error;
    }
    needs.attempted(channel, outcome);
    if (outcome.kind !== "served" || progress.trail.length > 0) {
      const endedAtMs = needs.clock.monotonicMs();
      noteEnd(progress, at, { choice, startedAtMs: nowMs, endedAtMs }, outcome);
    }
    if (outcome.kind === "served") {
      channel.health.succeeded();
      choice.key.doubt?.clear();
      at.conversation?.served(choice);
      return new ServedAttempt(outcome.value, { choice, at, progress, startedAtMs: nowMs });
    }
    giveBack(progress, choice);
    if (outcome.kind === "failed") {
      progress.failedChannels = [...progress.failedChannels, channel.settings.id];
    }
    course.failed(reasonOf(outcome));
    const error = conclude(needs, at, { choice, outcome, tried });
    if (outcome.kind === "unfit") {
      unfit = error;
      attempts--;
      progress.attempts = attempts;
      continue;
    }
    if (isOfSize(outcome) || outcome.kind === "refused") size = error;
    else last = error;
    left = channel;
  }
  // Errors that the client can mend come first.
  throw size ?? last ?? unfit ?? new GatewayError("do_request_failed", { message: noneLeft });
}

function begin(progress: Progress, at: Candidates, choice: Choice, nowMs: number): void {
  const { channel, key } = choice;
  progress.channel = channel;
  progress.key = key;
  if (at.conversation) progress.affinity = choice.by ?? "origin";
  progress.trace?.begin(channel, nowMs);
  channel.health.started(nowMs, at.accountId);
  channel.occupy(key);
  if (!channel.isRated(key)) return;
  progress.takenTokens = at.tokensEstimate ?? 0;
  channel.take(key, progress.takenTokens, nowMs);
}

/** The attempt counts to the channel's requests, but nothing was used. */
function giveBack(progress: Progress, { channel, key }: Choice): void {
  channel.release(key);
  channel.correct(key, -progress.takenTokens);
  progress.takenTokens = 0;
}

function noteEnd(
  progress: Progress,
  at: Candidates,
  times: { choice: Choice; startedAtMs: number; endedAtMs: number },
  outcome: Attempt<unknown>,
): void {
  if (outcome.kind !== "served") noteCandidates(progress, at, times.startedAtMs);
  noteAttempt(progress, { ...times, model: at.model }, outcome);
  if (outcome.kind !== "served") progress.trace?.failed(times.endedAtMs, outcome);
}

function isOfSize(outcome: Attempt<unknown>): boolean {
  return outcome.kind === "failed" && outcome.blame === "size";
}

/** The reason the channels of a member are left, told by how its last attempt ended. */
function reasonOf(outcome: Attempt<unknown>): FallbackReason {
  if (outcome.kind === "refused") return outcome.why ?? "fault";
  if (outcome.kind !== "failed") return "fault";
  if (outcome.blame === "size") return "context";
  return outcome.blame === "load" ? "load" : "fault";
}

const noneLeft = "No channel can be used now.";

function next(
  { random }: AttemptNeeds,
  { at: candidates, tried, isLastWay }: Course<Candidates>,
  progress: Progress,
  nowMs: number,
): Choice | "busy" | null {
  const { names, channels, favours, prefer, origin, accountId, conversation = null } = candidates;
  if (origin && isOpen(candidates, origin, tried, nowMs)) return origin;
  const choice = choose({
    names,
    candidates: channels,
    favours,
    prefer,
    conversation,
    isLastWay,
    tried,
    accountId,
    nowMs,
    random,
  });
  if (choice === null || choice === "busy") noteCandidates(progress, candidates, nowMs);
  return choice;
}

function isOpen(
  { accountId }: Candidates,
  { channel, key }: Choice,
  tried: Tried,
  nowMs: number,
): boolean {
  if (tried.channels.includes(channel) || tried.keys.includes(key)) return false;
  return !channel.isFull(nowMs) && !channel.health.isOut(nowMs, accountId) && key.isEnabled;
}

type Failure = Extract<Attempt<unknown>, { kind: "failed" }>;

interface Ended {
  choice: Choice;
  outcome: Exclude<Attempt<unknown>, { kind: "served" }>;
  tried: Tried;
}

/** Marks what was learned and returns the error to show if nothing else works; throws to stop. */
function conclude(
  needs: AttemptNeeds,
  candidates: Candidates,
  { choice, outcome, tried }: Ended,
): GatewayError {
  const { channel, key } = choice;
  switch (outcome.kind) {
    case "refused":
      channel.health.succeeded();
      if (outcome.why === undefined || !candidates.onward) throw outcome.error;
      tried.channels.push(...candidates.channels);
      return outcome.error;
    case "unfit":
      channel.health.released();
      tried.channels.push(channel);
      return outcome.error;
    case "abandoned":
      channel.health.released();
      throw new GatewayError("client_closed_request");
    case "failed":
      markFailure(needs, candidates, choice, outcome);
      if (mayBeKeyAlone(outcome, candidates)) tried.keys.push(key);
      else tried.channels.push(channel);
      noteLeft(candidates.conversation, choice, outcome);
      return outcome.error;
    default:
      return unreachable(outcome);
  }
}

/**
 * A refused key says nothing of its siblings, so the channel stays open to them; but what a request
 * names is refused to all of them alike.
 */
function mayBeKeyAlone(failure: Failure, { namesObjects }: Candidates): boolean {
  if (failure.blame !== "suspect") return failure.blame === "key";
  return failure.isOfCredit || !(namesObjects || failure.namesObjects === true);
}

/** A body too large for a channel says nothing of where the conversation is. */
function noteLeft(
  conversation: Candidates["conversation"],
  choice: Choice,
  { blame }: Failure,
): void {
  if (blame === "size") return;
  conversation?.failed(choice, blame === "channel" ? "channel" : "key");
}

function markFailure(
  needs: AttemptNeeds,
  { accountId, names, namesObjects }: Candidates,
  choice: Choice,
  failure: Failure,
): void {
  const { channel, key } = choice;
  const nowMs = needs.clock.monotonicMs();
  channel.lastFailure = toFailure(choice, failure, nowMs);
  switch (failure.blame) {
    case "channel":
      channel.health.failed(nowMs, accountId);
      break;
    case "suspect": {
      channel.health.released();
      const { isOfCredit, error, namesObjects: isNaming = false } = failure;
      const named = { namesObjects: namesObjects || isNaming, reason: wordsOf(error) };
      needs.keySuspected(choice, { accountId, isOfCredit, ...named });
      break;
    }
    case "size":
      channel.health.released();
      break;
    case "key":
      channel.health.released();
      if (channel.settings.keepsKeys) break;
      key.isEnabled = false;
      needs.keyRefused(channel, key, wordsOf(failure.error));
      break;
    case "load":
      channel.health.released();
      if (!channel.settings.keepsKeys) rest(choice, names, failure, nowMs);
      break;
    default:
      unreachable(failure);
  }
}

/** For the model alone, unless the vendor has said that it is the account. */
function rest(
  { channel, key }: Choice,
  names: readonly string[],
  { restMs = restMsDefault, isOfAccount = false }: LoadAttempt,
  nowMs: number,
): void {
  const model = isOfAccount ? null : channel.upstreamModelOf(names);
  (key.rests ??= new KeyRests()).rest(model, nowMs + restMs, nowMs);
}

function toFailure(choice: Choice, failure: Failure, atMs: number): ChannelFailure {
  const { error, vendorStatus = null } = failure;
  return { code: error.code, words: shownWords(choice, error), status: vendorStatus, atMs };
}
