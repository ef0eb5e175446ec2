// The choice of a group or a virtual model among channels of one priority: the cheapest, or the
// fastest.
import type { Channel } from "../../../distribution/channel.ts";
import { cheapest, fastest } from "../../../distribution/prefer.ts";
import type { Caller } from "../../../identity/caller.ts";
import type { Prices } from "../../../quota/prices.ts";
import type { Candidates } from "../../attempt.ts";
import type { PricedText } from "../chain/text-leg.ts";

/** Absent where the weights of channels decide. */
export function preferenceOf(
  prices: Prices,
  prefer: Caller["prefer"],
  { request, price }: PricedText,
): Candidates["prefer"] {
  if (prefer === undefined || prefer === "weight") return undefined;
  if (prefer === "speed") return (tier) => fastest(tier, request.model);
  const surcharges = price.surcharges.map(({ surcharge }) => surcharge);
  const costOf = ({ settings }: Channel) => {
    const { input, output } = prices.cost(request.model, settings.cost, { surcharges });
    return input * inputPerOutput + output;
  };
  return (tier) => cheapest(tier, costOf);
}

/** Prompts are longer than their answers. */
const inputPerOutput = 4;
