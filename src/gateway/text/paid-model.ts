// The price of the model that answered, where that is not the one that was asked for.
import type { UsageDoubtNeeds } from "../../distribution/doubts.ts";
import type { Observed } from "../../formats/format.ts";
import { estimateUsage } from "../../quota/estimate.ts";
import { textCost, type PriceSnapshot } from "../../quota/price.ts";
import type { Prices } from "../../quota/prices.ts";
import { isSameModel, listedModel } from "./model-names.ts";
import type { TextJob } from "./text-job.ts";
import type { ServedText } from "./judge-text.ts";

interface PaidModelNeeds {
  prices: Prices;
  doubts: UsageDoubtNeeds;
}

/** Outcome of a request, as far as its model goes. */
interface Answered {
  served: Pick<ServedText, "choice" | "named" | "sent">;
  observed: Observed;
}

/**
 * The job at the price of the model that answered, where that is another one and dearer: whoever
 * had it run pays for it. A cheaper one is marked and counted; one without a price is counted.
 */
export function asAnswered(needs: PaidModelNeeds, job: TextJob, end: Answered): TextJob {
  const { named, choice } = end.served;
  const { model: wanted } = job.request;
  const { model: answered } = named;
  if (answered === null || answered === wanted) return job;
  const sent = choice.channel.upstreamModel(wanted);
  if (answered === sent || isSameModel(needs.prices, answered, [sent, wanted])) return job;
  needs.doubts.otherModel(choice.channel, answered);
  const known = listedModel(needs.prices, answered);
  if (known === null) return job;
  const price = dearerOf(needs.prices, job, { model: known, end });
  return { ...job, price: { ...price, answeredBy: answered } };
}

const shownCharactersMax = 64;

/** The member of a virtual model that served, and its price where the hold was for a dearer one. */
export function servedText({ chain, request, price, reservation }: TextJob): string {
  if (!chain) return "";
  const served = ` served=${cleaned(request.model)}`;
  return price.text === reservation.price ? served : `${served} price=${price.text}`;
}

/** Text for an entry, cleaned so that a vendor's words are not taken for others of ours. */
export function answeredText({ answeredBy }: PriceSnapshot): string {
  if (answeredBy === undefined) return "";
  return ` model=${cleaned(answeredBy)}`;
}

function cleaned(name: string): string {
  return name.replace(/[^\w.:/@-]/g, "_").slice(0, shownCharactersMax);
}

function dearerOf(
  prices: Prices,
  { price, input, request, reservation }: TextJob,
  { model, end }: { model: string; end: Answered },
): PriceSnapshot {
  // Pictures are paid by the one, whoever draws them, and a name with a price by that.
  if (price.images || price.isOfName) return price;
  const { observed, served } = end;
  const surcharges = price.surcharges.map(({ surcharge }) => surcharge);
  const { multiplierPpm } = input.call.caller;
  const other = prices.surcharged(model, multiplierPpm, surcharges, reservation.atMs);
  const counted = estimateUsage(request, input.bodyBytes, observed.outputTokensEstimate);
  const sent = { sent: served.sent, use: observed.use ?? null };
  const cost = (of: PriceSnapshot) => textCost(of, observed.usage ?? counted, sent);
  return cost(other) > cost(price) ? other : price;
}
