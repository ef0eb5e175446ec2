// The price of a text request: its tokens, what it asks for besides, and pictures that are drawn.
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Random } from "../../core/random.ts";
import type { Affinity } from "../../distribution/affinity.ts";
import type { Channel, ChannelSettings } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { VirtualModels } from "../../distribution/virtual-models.ts";
import { findImageFamily, modelsBehind } from "../../families/index.ts";
import type { TextRequest } from "../../formats/format.ts";
import type { Surcharge } from "../../formats/surcharge.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Balances } from "../../quota/balances.ts";
import type { BoundRules } from "../../quota/estimate.ts";
import type { Prices } from "../../quota/prices.ts";
import type { PricedText } from "./chain/text-leg.ts";
import { findSurcharges, heldSurcharges, withSurcharges } from "./surcharges.ts";
import type { TextInput } from "./text-job.ts";
import { convertedTo, wireOf } from "./wires.ts";

export interface OpenTextNeeds {
  channels: Channels;
  virtualModels: VirtualModels;
  random: Random;
  origins: Origins;
  prices: Prices;
  catalogue: Catalogue;
  balances: Balances;
  bounds: BoundRules;
  affinity: Affinity;
}

/** Facts by which a price is found. */
export interface PriceAsk extends Pick<TextInput, "format" | "body" | "bodyBytes" | "wireHeaders"> {
  call: { caller: Pick<Caller, "multiplierPpm"> };
}

/** Throws the 503 of a model without a price. */
export function priceText(
  needs: Pick<OpenTextNeeds, "prices">,
  input: PriceAsk,
  request: TextRequest,
  serving: readonly Channel[],
): PricedText {
  const askedFor = findSurcharges(input, request);
  if (askedFor.length > 0)
    return priceSurcharged(needs, input, { request, serving, asked: askedFor });
  const drawing = input.format.drawingFacts && priceDrawing(needs, input, { request, serving });
  if (drawing) return drawing;
  const price = needs.prices.snapshot(request.model, input.call.caller.multiplierPpm);
  return { request, serving, price };
}

/**
 * A model of images that is asked in its vendor's text format, by which its pictures can be counted
 * only where they pass as they are. Null of all others.
 */
function priceDrawing(
  { prices }: Pick<OpenTextNeeds, "prices">,
  { format, body, call }: PriceAsk,
  { request, serving }: Omit<PricedText, "price">,
): PricedText | null {
  if (!format.drawingFacts || !findImageFamily(request.model)) return null;
  const native = serving.filter(({ settings }) => wireOf(settings, format)?.isNative);
  const names = [request.model, ...modelsBehind(request.model)];
  const terms = { multiplierPpm: call.caller.multiplierPpm, held: request.choices };
  const price = native.length > 0 && prices.drawn(names, format.drawingFacts(body), terms);
  return price ? { request: { ...request, draws: true }, serving: native, price } : null;
}

type Surcharged = Omit<PricedText, "price"> & { asked: readonly Surcharge[] };

function priceSurcharged(
  needs: Pick<OpenTextNeeds, "prices">,
  { format, call }: PriceAsk,
  { request, serving, asked: askedFor }: Surcharged,
): PricedText {
  const foreign = (settings: ChannelSettings) => convertedTo(settings, format);
  const held = heldSurcharges(askedFor, request, { serving, foreign });
  const price = needs.prices.surcharged(request.model, call.caller.multiplierPpm, held);
  return { request: withSurcharges(request, askedFor, price.surcharges), serving, price };
}
