// A text request as one for a single model: most are one such leg, those for a virtual model have
// one for each member.
import type { Channel } from "../../../distribution/channel.ts";
import type { TextRequest } from "../../../formats/format.ts";
import type { RequestBound } from "../../../quota/estimate.ts";
import type { PriceSnapshot } from "../../../quota/price.ts";
import type { Candidates } from "../../attempt.ts";

/** Channels that may serve a request, and its price. */
export interface PricedText {
  request: TextRequest;
  serving: readonly Channel[];
  price: PriceSnapshot;
}

/** Channels it may go to, and the cost that can have. */
export interface TextLeg {
  request: TextRequest;
  candidates: Candidates;
  price: PriceSnapshot;
  /** The most that was paid for in advance. */
  bound: RequestBound;
}
