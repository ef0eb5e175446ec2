// Everything that is decided before the first upstream is called: who may serve the request, what
// it can cost at most, and the hold on that money.
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { Format, TextRequest } from "../../formats/format.ts";
import type { Balances, Purse } from "../../quota/balances.ts";
import { boundText, type BoundRules } from "../../quota/estimate.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { textHold, type PriceSnapshot } from "../../quota/price.ts";
import type { Prices } from "../../quota/prices.ts";
import type { Candidates } from "../attempt.ts";
import { chooseOrigin, findChannels, hasOrigins, type Bounded } from "./find-channels.ts";
import { speaksNatively } from "./plan-text.ts";
import type { TextInput, TextJob } from "./text-job.ts";

export interface OpenTextNeeds {
  channels: Channels;
  origins: Origins;
  prices: Prices;
  ledger: Ledger;
  balances: Balances;
  bounds: BoundRules;
}

/** At once, unless what is needed has to be read first. */
export function openText(
  needs: OpenTextNeeds,
  input: TextInput,
  request: TextRequest,
): TextJob | Promise<TextJob> {
  const { caller } = input.call;
  const serving = findChannels(needs.channels, { caller, format: input.format }, request.model);
  const price = needs.prices.snapshot(request.model, caller.multiplierPpm);
  const purse = needs.balances.purse(caller);
  const bounded = hasOrigins(request)
    ? chooseOrigin(needs.origins, caller, request, serving)
    : null;
  if (!bounded && !(purse instanceof Promise)) {
    return hold(needs, { input, request, serving, price, purse, bounded });
  }
  return Promise.all([purse, bounded]).then(([loaded, found]) =>
    hold(needs, { input, request, serving, price, purse: loaded, bounded: found }),
  );
}

/** What a hold is decided by. */
interface Grounds {
  input: TextInput;
  request: TextRequest;
  serving: readonly Channel[];
  price: PriceSnapshot;
  purse: Purse;
  bounded: Bounded | null;
}

function hold(needs: OpenTextNeeds, grounds: Grounds): TextJob {
  const { input, request, serving, price, purse, bounded } = grounds;
  const { format, bodyBytes, call } = input;
  const mayConvert = !allSpeak(serving, format);
  const bound = boundText(request, { bodyBytes, mayConvert }, needs.bounds);
  const reservation = needs.ledger.reserve({
    id: call.scope.requestId,
    account: purse.account,
    key: purse.key,
    group: call.caller.group,
    model: request.model,
    micros: textHold(price, bound),
    price: price.text,
  });
  const origin = bounded?.origin ?? null;
  const candidates: Candidates = {
    channels: bounded?.channels ?? serving,
    favours: ({ settings }) => speaksNatively(settings, format),
    origin: origin && serving.includes(origin.channel) ? origin : null,
  };
  const { outputTokensMax } = bound;
  return { input, request, candidates, price, reservation, outputTokensMax };
}

function allSpeak(channels: readonly Channel[], format: Format): boolean {
  for (const { settings } of channels) if (!speaksNatively(settings, format)) return false;
  return true;
}
