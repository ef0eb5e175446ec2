// Notes of each attempt where one of them did not serve its request: an operator finds by them why
// a request went where it went, and what the vendors said.
import type { GatewayError } from "../core/errors.ts";
import { describe } from "../core/log.ts";
import { lastFour } from "../distribution/channel.ts";
import type { Choice } from "../distribution/choose.ts";
import type { AttemptNote, AttemptOutcome } from "../observe/attempt-note.ts";
import { concealer } from "./conceal.ts";

/** One attempt, and between which moments it was made. */
interface Tried {
  choice: Choice;
  /** Member of a virtual model that it was for. */
  model: string | undefined;
  startedAtMs: number;
  endedAtMs: number;
}

/** The end of an attempt, as far as it is told. */
interface AttemptEnded {
  kind: AttemptOutcome | "unfit";
  blame?: string;
  error?: GatewayError;
  vendorStatus?: number;
  vendorRequestId?: string;
}

interface Trail {
  trail: readonly AttemptNote[];
  readonly arrivedAtMs: number;
}

const wordsCharactersMax = 400;

export function noteAttempt(progress: Trail, tried: Tried, ended: AttemptEnded): void {
  const { kind, error = null, blame = null, vendorStatus = null, vendorRequestId = null } = ended;
  // Nothing was sent.
  if (kind === "unfit") return;
  const note = toNote(progress, tried, error);
  const status = kind === "served" ? 200 : (vendorStatus ?? error?.shown?.upstreamStatus ?? null);
  progress.trail = [...progress.trail, { ...note, outcome: kind, status, blame, vendorRequestId }];
}

/** It was served, and broke off before its end. */
export function noteBroken(progress: Trail, tried: Tried, error: GatewayError): void {
  const before = progress.trail.filter(({ outcome }) => outcome !== "served");
  const note = toNote(progress, tried, error);
  const facts = {
    outcome: "broken",
    status: 200,
    blame: "channel",
    vendorRequestId: null,
  } as const;
  progress.trail = [...before, { ...note, ...facts }];
}

function toNote(
  { arrivedAtMs }: Trail,
  { choice, model, startedAtMs, endedAtMs }: Tried,
  error: GatewayError | null,
): Omit<AttemptNote, "outcome" | "status" | "blame" | "vendorRequestId"> {
  const { channel, key } = choice;
  return {
    channelId: channel.settings.id,
    channelName: channel.settings.name,
    keyLast4: lastFour(key.text),
    keyPosition: key.position,
    code: error?.code ?? null,
    words: error && shownWords(choice, error),
    model: model ?? null,
    startedMs: Math.round(startedAtMs - arrivedAtMs),
    endedMs: Math.round(endedAtMs - arrivedAtMs),
  };
}

/** For operators: never with the channel's credentials in them. */
export function shownWords({ channel, key }: Choice, error: GatewayError): string {
  return concealer({ settings: channel.settings, key })(wordsOf(error)).slice(
    0,
    wordsCharactersMax,
  );
}

/** Words of the vendor or the network, which the client is not always told. */
export function wordsOf({ cause, message, shown }: GatewayError): string {
  if (typeof cause === "string") return cause;
  if (shown || cause === undefined) return message;
  return `${message} ${describe(cause)}`;
}
