// Surcharges as they stand on a reservation and on an entry, behind the tokens: what each costs,
// and how much of it there was.
import type { LongContext } from "../catalogue/surcharges.ts";
import { spokenTokens, type Surcharge } from "../formats/surcharge.ts";
import type { Usage } from "../formats/usage.ts";
import {
  calledTools,
  givenFactors,
  type PricedSurcharge,
  type SentSurcharges,
} from "./surcharge-price.ts";

interface PriceFacts {
  cacheWriteHour: number;
  input: number;
  audioInput: number;
  audioOutput: number;
  longContext: LongContext | null;
  surcharges: readonly PricedSurcharge[];
}

export function surchargeText(price: PriceFacts, namesHour: boolean): string {
  const { longContext, surcharges } = price;
  const words: string[] = [];
  if (price.audioInput !== price.input) words.push(`heard=${price.audioInput}`);
  if (namesHour) words.push(`1h=${price.cacheWriteHour}`);
  if (longContext) {
    const { aboveTokens, inputPercent, outputPercent } = longContext;
    words.push(`long>${aboveTokens}=${inputPercent}/${outputPercent}%`);
  }
  for (const { surcharge, callMicros, factor } of surcharges) {
    const { kind, calls } = surcharge;
    const name = labelOf(surcharge);
    if (calls) words.push(`${name}=${callMicros}x${calls.max}`);
    else if (factor) words.push(`${name}=${factor.inputPercent}/${factor.outputPercent}%`);
    else if (kind === "audio") words.push(`audio=${price.audioOutput}`);
    else words.push(name);
  }
  return words.map((word) => ` ${word}`).join("");
}

/**
 * A surcharge on another wire than the client's may have the same name there, and another price.
 */
function labelOf({ name, wire }: Surcharge): string {
  return wire === undefined ? name : `${wire}:${name}`;
}

/** The amounts used of things that have a price of their own. */
export function surchargeUseText(
  surcharges: readonly PricedSurcharge[],
  usage: Usage,
  sent: SentSurcharges,
): string {
  const { fetchedTokens, cacheWriteHourTokens, audioInputTokens, searches } = usage;
  const hasMore = fetchedTokens || cacheWriteHourTokens || audioInputTokens || searches;
  if (surcharges.length === 0 && !hasMore) return "";
  const words: string[] = [];
  if (audioInputTokens) words.push(`heard=${audioInputTokens}`);
  if (searches) words.push(`searches=${searches}`);
  if (fetchedTokens) words.push(`fetched=${fetchedTokens}`);
  if (cacheWriteHourTokens) words.push(`1h=${cacheWriteHourTokens}`);
  const spoken = sent.use?.countOf(spokenTokens) ?? null;
  if (spoken !== null) words.push(`audio=${spoken}`);
  for (const { priced, calls } of calledTools(surcharges, sent)) {
    words.push(`${labelOf(priced.surcharge)}=${calls}`);
  }
  for (const { surcharge } of givenFactors(surcharges, sent)) words.push(surcharge.name);
  return words.map((word) => ` ${word}`).join("");
}
