// The end of a request for images: what came, what that costs, and who is told.
import type { GatewayError } from "../../core/errors.ts";
import { zeroMicros, type Micros } from "../../core/money.ts";
import type { Channel } from "../../distribution/channel.ts";
import { readCount, type Usage } from "../../formats/usage.ts";
import type { RequestOutcome } from "../../observe/outcome.ts";
import type { ImageTokens } from "../../quota/image-tokens.ts";
import type { Ledger } from "../../quota/ledger.ts";
import { imageCost, type MediaPrice } from "../../quota/media-price.ts";
import type { ImageUsage } from "../../upstreams/upstream.ts";
import type { Lease } from "../attempt.ts";
import { kindOfError } from "../outcome.ts";
import type { ImageWork } from "./image-work.ts";

/** What came of what was asked for. */
export interface Came {
  images: number;
  /** As the vendor counted it; null when it did not. */
  usage: ImageUsage | null;
}

export interface ImageCharge {
  micros: Micros;
  /** As it stands on the ledger's entry, such as "2i" or "2i 50/2112". */
  usage: string;
  isEstimated: boolean;
  counts: { images: number } & Partial<ImageTokens>;
}

/** What is delivered is charged, at the price of the moment it was asked for. */
export function chargeImages(
  { price, most }: { price: MediaPrice; most: ImageTokens },
  { images, usage }: Came,
): ImageCharge {
  const counted = usage && toCounts(usage);
  const micros = imageCost(price, { images, most }, counted);
  const tokens = counted ? ` ${counted.inputTokens}/${counted.outputTokens}` : "";
  const isEstimated = !counted && price.tokens?.isOnly === true;
  const counts = { images, ...counted };
  return { micros, usage: `${isEstimated ? "~" : ""}${images}i${tokens}`, isEstimated, counts };
}

/** Vendors' numbers as they can be trusted. */
function toCounts({ inputTokens, outputTokens }: ImageUsage): ImageTokens | null {
  const [input, output] = [readCount(inputTokens), readCount(outputTokens)];
  return input === null || output === null ? null : { inputTokens: input, outputTokens: output };
}

export interface ImageEnd {
  lease: Pick<Lease<unknown>, "channel" | "attempts">;
  came: Came;
  kind: RequestOutcome;
  error: GatewayError | null;
  firstByteMs: number;
}

/** Charges what came; when that is nothing the hold is freed. Resolves when it is written. */
export async function settleImage(
  { ledger }: { ledger: Ledger },
  work: ImageWork,
  end: ImageEnd,
): Promise<void> {
  const { came, lease, kind, error } = end;
  const { call, opened, reservation } = work;
  const charge = chargeImages(opened, came);
  const isNothing = came.images === 0;
  const { charged, written } = isNothing
    ? { charged: zeroMicros, written: voidImage(ledger, work, error?.code ?? kind) }
    : ledger.post(reservation, charge.micros, charge.usage);
  const usage = isNothing ? null : toUsage(came.usage);
  call.admission.spend(usage ? usage.inputTokens + usage.outputTokens : 0);
  call.admission.release();
  call.ended({
    kind,
    refusal: null,
    errorCode: error?.code ?? null,
    model: work.job.model,
    stream: work.job.stream,
    channel: nameOf(lease.channel),
    usage,
    images: came.images,
    isEstimated: charge.isEstimated && !isNothing,
    micros: charged,
    attempts: lease.attempts,
    firstByteMs: end.firstByteMs,
  });
  await written;
}

/** A vendor may charge for what a client did not wait for: that is noted as a possible loss. */
function voidImage(ledger: Ledger, { reservation, opened }: ImageWork, reason: string) {
  const loss = reason === "client_abort" ? opened.micros : zeroMicros;
  return ledger.void(reservation, reason, loss);
}

function toUsage(counted: ImageUsage | null): Usage | null {
  const tokens = counted && toCounts(counted);
  return tokens && { ...tokens, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
}

/** The end of a request that brought nothing. */
export async function failImage(
  { ledger }: { ledger: Ledger },
  error: GatewayError,
  { call, work, model }: { call: ImageWork["call"]; work: ImageWork | null; model: string },
): Promise<void> {
  const kind = kindOfError(error);
  const hasBegun = (work?.progress.attempts ?? 0) > 0;
  if (work?.reservation.state === "open") {
    const loss = kind === "client_abort" && hasBegun ? work.opened.micros : zeroMicros;
    await ledger.void(work.reservation, error.code, loss);
  }
  call.admission.release();
  const channel = work?.progress.channel ?? null;
  call.ended({
    kind,
    refusal: error,
    errorCode: error.code,
    model,
    stream: work?.job.stream ?? false,
    channel: channel && nameOf(channel),
    usage: null,
    isEstimated: false,
    micros: 0,
    attempts: work?.progress.attempts ?? 0,
    firstByteMs: null,
  });
}

function nameOf({ settings }: Channel): { id: string; name: string } {
  return { id: settings.id, name: settings.name };
}
