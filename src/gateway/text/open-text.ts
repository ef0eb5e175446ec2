// Everything that is decided before the first upstream is called: who may serve the request, what
// it can cost at most, and the hold on that money.
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { AddressFacts, Format, RequiredOrigin, TextRequest } from "../../formats/format.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Admission } from "../../limits/limiter.ts";
import type { Balances, Purse } from "../../quota/balances.ts";
import { boundText, type BoundRules } from "../../quota/estimate.ts";
import type { Ledger, Reservation } from "../../quota/ledger.ts";
import { textHold, type PriceSnapshot } from "../../quota/price.ts";
import type { Prices } from "../../quota/prices.ts";
import type { Candidates, Progress } from "../attempt.ts";
import type { TextOutcome } from "../outcome.ts";
import { servesText, speaksNatively } from "./plan-text.ts";
import type { Scope } from "../scope.ts";

export interface OpenParts {
  clock: Clock;
  channels: Channels;
  origins: Origins;
  prices: Prices;
  ledger: Ledger;
  balances: Balances;
  bounds: BoundRules;
}

export interface TextCall {
  format: Format;
  body: JsonObject;
  bodyBytes: number;
  /** The body as it came, where the format may remember it; null once it was changed. */
  raw: Uint8Array | null;
  /** What the address says where the body does not. */
  address: AddressFacts | null;
  /** Condensing a conversation is its own action of some upstreams. */
  action: "generate" | "compact";
  /** The client's headers that belong to its format's wire. */
  wireHeaders: Readonly<Record<string, string>>;
  caller: Caller;
  admission: Admission;
  scope: Scope;
  /** Called exactly once, when everything about the request is known. */
  ended(outcome: TextOutcome): void;
}

export interface TextJob {
  call: TextCall;
  request: TextRequest;
  candidates: Candidates;
  progress: Progress;
  price: PriceSnapshot;
  reservation: Reservation;
  /** The most output that was paid for in advance. */
  outputTokensMax: number;
}

/** At once, unless what is needed has to be read first. */
export function openText(
  parts: OpenParts,
  call: TextCall,
  request: TextRequest,
): TextJob | Promise<TextJob> {
  const { caller } = call;
  const found = findChannels(parts, call, request.model);
  if (found.length === 0) throw new GatewayError("model_not_found", { param: "model" });
  const price = parts.prices.snapshot(request.model, caller.multiplierPpm);
  const purse = parts.balances.purse(caller);
  const { required, preferred } = request.origins;
  const origin = required || preferred ? findOrigin(parts, call, request, found) : null;
  if (!origin && !(purse instanceof Promise)) {
    return hold(parts, { call, request, found, price, purse, origin });
  }
  return Promise.all([purse, origin]).then(([loaded, made]) =>
    hold(parts, { call, request, found, price, purse: loaded, origin: made }),
  );
}

/** What a hold is decided by. */
interface Grounds {
  call: TextCall;
  request: TextRequest;
  found: readonly Channel[];
  price: PriceSnapshot;
  purse: Purse;
  origin: Choice | null;
}

function hold(parts: OpenParts, { call, request, found, price, purse, origin }: Grounds): TextJob {
  const { format, bodyBytes, caller } = call;
  const mayConvert = !allSpeak(found, format);
  const bound = boundText(request, { bodyBytes, mayConvert }, parts.bounds);
  const reservation = parts.ledger.reserve({
    id: call.scope.requestId,
    account: purse.account,
    key: purse.key,
    group: caller.group,
    model: request.model,
    micros: textHold(price, bound),
    price: price.text,
  });
  const { required } = request.origins;
  const candidates: Candidates = {
    channels: required && origin ? [origin.channel] : found,
    favours: ({ settings }) => speaksNatively(settings, format),
    origin: origin && found.includes(origin.channel) ? origin : null,
  };
  const { outputTokensMax } = bound;
  const progress = { attempts: 0, channel: null };
  return { call, request, candidates, progress, price, reservation, outputTokensMax };
}

function allSpeak(channels: readonly Channel[], format: Format): boolean {
  for (const { settings } of channels) if (!speaksNatively(settings, format)) return false;
  return true;
}

export function findChannels(
  parts: Pick<OpenParts, "channels">,
  { caller, format }: Pick<TextCall, "caller" | "format">,
  model: string,
): readonly Channel[] {
  if (caller.models && !caller.models.has(model)) return [];
  const candidates = parts.channels.candidates(model, caller.group);
  const found: Channel[] = [];
  for (const channel of candidates) if (servesText(channel.settings, format)) found.push(channel);
  return found;
}

/**
 * Another account's response does not exist, whatever upstream key the two accounts share, and
 * neither does one of a channel that this key may not use for the model.
 */
export async function findOrigin(
  { origins }: Pick<OpenParts, "origins">,
  { caller }: Pick<TextCall, "caller">,
  request: TextRequest,
  found: readonly Channel[],
): Promise<Choice | null> {
  const { required, alsoRequired = [], preferred } = request.origins;
  if (!required) return preferred === null ? null : await origins.find(caller.accountId, preferred);
  const [origin = null] = await Promise.all(
    [required, ...alsoRequired].map(async (one) => {
      const made = await origins.find(caller.accountId, one.id);
      if (!made || !found.includes(made.channel)) throw unknownOrigin(one);
      return made;
    }),
  );
  return origin;
}

function unknownOrigin({ param, unknown }: RequiredOrigin): GatewayError {
  if (unknown === undefined) return new GatewayError("previous_response_not_found", { param });
  return new GatewayError("invalid_request", { param, message: `${param} ${unknown}` });
}
