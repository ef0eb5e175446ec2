// The end of a request for images: what came, and what that costs.
import type { GatewayError } from "../../core/errors.ts";
import { micros, zeroMicros, type Micros } from "../../core/money.ts";
import type { Channel } from "../../distribution/channel.ts";
import { judgeUsage, type UsageDoubtNeeds } from "../../distribution/doubts.ts";
import { namesOf } from "../../families/model-names.ts";
import { readCount, type Usage } from "../../formats/usage.ts";
import type { OutcomeKind } from "../../observe/outcome.ts";
import { errorFields } from "../outcome.ts";
import type { ImageTokens } from "../../quota/image-tokens.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { imageCost, type MediaPrice } from "../../quota/media-price.ts";
import { mediaCost } from "../../quota/media-cost.ts";
import { clampImageTokens } from "../../quota/plausible.ts";
import type { ImageUsage } from "../../upstreams/upstream.ts";
import type { ImageWork } from "./image-work.ts";

/** The delivered part of the images that were asked for. */
export interface DeliveredImages {
  images: number;
  /** The vendor's own count; null when it gave none. */
  usage: ImageUsage | null;
}

interface ImageCharge {
  micros: Micros;
  /** The text on the ledger's entry, such as "2i" or "2i 50/2112". */
  usage: string;
  isEstimated: boolean;
  /** The vendor said what it used, and whether that can be. */
  isCounted: boolean;
  isPlausible: boolean;
  counts: { images: number } & Partial<ImageTokens>;
  tokens: ImageTokens | null;
}

/** Charge for delivered images alone, at the price of the moment they were asked for. */
export function chargeImages(
  { price, most }: { price: MediaPrice; most: ImageTokens },
  { images, usage }: DeliveredImages,
): ImageCharge {
  const reported = usage && toCounts(usage);
  const counted = reported && clampImageTokens(reported, most, images);
  const cost = imageCost(price, { images, most }, counted);
  const tokens = counted ? ` ${counted.inputTokens}/${counted.outputTokens}` : "";
  const isEstimated = !counted && price.tokens?.isOnly === true;
  const isPlausible = reported === counted;
  const mark = isEstimated ? "~" : isPlausible ? "" : "!";
  return {
    micros: cost,
    usage: `${mark}${images}i${tokens}`,
    isEstimated,
    isCounted: reported !== null,
    isPlausible,
    counts: { images, ...counted },
    tokens: counted,
  };
}

/** Vendors' numbers as they can be trusted. */
function toCounts({ inputTokens, outputTokens }: ImageUsage): ImageTokens | null {
  const [input, output] = [readCount(inputTokens), readCount(outputTokens)];
  return input === null || output === null ? null : { inputTokens: input, outputTokens: output };
}

interface ImageEnd {
  /** The channel that made them. */
  channel: Channel;
  /** All that the vendor makes of the request has come, and is counted. */
  isWhole: boolean;
  came: DeliveredImages;
  kind: OutcomeKind;
  error: GatewayError | null;
  firstByteMs: number;
}

interface SettleImageNeeds {
  ledger: Ledger;
  doubts: UsageDoubtNeeds;
}

/**
 * Charges what came and finishes the call; when nothing came the hold is freed. Resolves when that
 * is written, to what was charged.
 */
export async function settleImage(
  { ledger, doubts }: SettleImageNeeds,
  work: ImageWork,
  end: ImageEnd,
): Promise<Micros> {
  const { came, kind, error, firstByteMs } = end;
  const { images } = came;
  const charge = chargeImages(work.opened, came);
  const isNothing = images === 0;
  if (charge.isCounted && !isNothing) judgeUsage(doubts, end.channel, charge.isPlausible);
  const { charged, written } = isNothing
    ? { charged: zeroMicros, written: voidUnseen(ledger, work, error?.code ?? kind) }
    : ledger.post(work.reservation, charge.micros, charge.usage, unseenLoss(work, end, charge));
  work.input.call.finish({
    kind,
    status: error?.code === "client_closed_request" ? 499 : 200,
    ...errorFields(error),
    usage: isNothing ? null : toUsage(charge.counts),
    images,
    isEstimated: charge.isEstimated && !isNothing,
    micros: charged,
    costMicros: isNothing ? null : costOf(work, end, charge),
    firstByteMs,
  });
  await written;
  return charged;
}

function costOf(
  { job, opened, reservation }: ImageWork,
  { channel, came }: ImageEnd,
  { tokens }: ImageCharge,
) {
  const { price, most } = opened;
  const names = namesOf(job);
  const { images } = came;
  const says = channel.costAt(reservation.atMs);
  return mediaCost({ price, says, names, came: { images, tokens, most } });
}

/** Images the vendor may have made besides, for a client that did not wait for them. */
function unseenLoss({ opened }: ImageWork, { isWhole }: ImageEnd, { micros: cost }: ImageCharge) {
  return isWhole ? zeroMicros : micros(Math.max(0, opened.micros - cost));
}

/** A vendor may charge for what a client did not wait for: that is noted as a possible loss. */
function voidUnseen(ledger: Ledger, { reservation, opened }: ImageWork, reason: string) {
  const loss = reason === "client_abort" ? opened.micros : zeroMicros;
  return ledger.void(reservation, reason, loss);
}

/** The end of a hold whose request failed before anything came. */
export function voidImage(ledger: Ledger, work: ImageWork, { code }: GatewayError) {
  const { reservation, opened, disconnect } = work;
  return ledger.void(reservation, code, disconnect.isUnheard ? opened.micros : zeroMicros);
}

function toUsage({ inputTokens, outputTokens }: ImageCharge["counts"]): Usage | null {
  if (inputTokens === undefined || outputTokens === undefined) return null;
  const unknown = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return { inputTokens, outputTokens, ...unknown };
}
