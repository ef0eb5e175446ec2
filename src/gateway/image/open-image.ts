// Everything about images that is decided before the first upstream is called: who may make them,
// what they can cost at most, and whose money that is.
import { GatewayError } from "../../core/errors.ts";
import type { ImageSize } from "../../core/image-size.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Micros } from "../../core/money.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { ImageFamily } from "../../families/image-family.ts";
import type { ImageJob, ImageUnits } from "../../families/image-job.ts";
import { namesOf } from "../../families/model-names.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Wallet } from "../../quota/balance.ts";
import type { Balances } from "../../quota/balances.ts";
import { boundImageTokens, type ImageTokens } from "../../quota/image-tokens.ts";
import { imageHold, type MediaPrice } from "../../quota/media-price.ts";
import type { Prices } from "../../quota/prices.ts";
import type { Candidates } from "../attempt.ts";
import { findMakers } from "../find-makers.ts";
import { openWallet } from "../payer.ts";
import { fitOf, jobAt, referencesOf } from "./needed-bytes.ts";
import { imageFacetOf } from "./run-image.ts";

export interface OpenImageNeeds {
  channels: Channels;
  prices: Prices;
  balances: Balances;
}

export interface ImageOrder {
  family: ImageFamily;
  job: ImageJob;
  /** The client's own body, for upstreams that take it as it is. */
  body: JsonObject;
  caller: Caller;
  /** The request's own word. */
  label: string | null;
}

export interface OpenedImage extends Wallet {
  candidates: Candidates;
  units: ImageUnits;
  price: MediaPrice;
  /** The most tokens of one image. */
  most: ImageTokens;
  /** The most it can cost. */
  micros: Micros;
}

export async function openImage(needs: OpenImageNeeds, order: ImageOrder): Promise<OpenedImage> {
  const { family, job, caller, label } = order;
  const candidates = findCandidates(
    order,
    findMakers(needs.channels, { facet: "image", ...order }),
  );
  const units = family.units(job);
  const { multiplierPpm } = caller;
  const facts = { ...units, tier: null };
  const price = needs.prices.media(namesOf(job), facts, { kind: "image", multiplierPpm });
  const most = mostTokens(job);
  const wallet = await openWallet(needs, caller, { model: job.model, label });
  const micros = imageHold(price, { images: units.images, most });
  return { candidates, units, price, most, micros, ...wallet };
}

/** Open again a task whose price was settled when it was made, to carry it out. */
export function reopenImage(
  needs: Pick<OpenImageNeeds, "channels">,
  order: Pick<ImageOrder, "job" | "caller">,
): Pick<OpenedImage, "candidates" | "most"> {
  const makers = findMakers(needs.channels, { facet: "image", ...order });
  return { candidates: findCandidates(order, makers), most: mostTokens(order.job) };
}

/** Channels that take the job as it is come before those for which references must be fetched. */
function findCandidates(
  { job, caller, family }: Pick<ImageOrder, "job" | "caller"> & Partial<Pick<ImageOrder, "family">>,
  serving: readonly Channel[],
): Candidates {
  const natural = new Set<Channel>();
  let lacking: string | null = null;
  const fitting = serving.filter((channel) => {
    const facet = imageFacetOf(channel.settings);
    const fit = facet && fitOf(facet, jobAt(channel, job));
    if (fit?.kind === "as it is") natural.add(channel);
    if (fit?.kind === "none") lacking ??= fit.lacks;
    return fit?.kind !== "none";
  });
  if (fitting.length === 0) {
    if (lacking === "size" && family && job.isSizeExact) throw unmadeSize(family, job, serving);
    const param = lacking ?? "model";
    const message = `${param} cannot be carried to the upstream that serves this model.`;
    throw new GatewayError("invalid_request", { param, message });
  }
  return {
    accountId: caller.accountId,
    names: namesOf(job),
    namesObjects: referencesOf(job).some(({ source }) => source.kind !== "bytes"),
    channels: fitting,
    favours: (channel) => natural.has(channel),
    origin: null,
  };
}

/** Names the sizes that would have found a channel. */
function unmadeSize(family: ImageFamily, job: ImageJob, serving: readonly Channel[]): GatewayError {
  const { model, size } = job;
  const canMake = (channel: Channel, otherSize: ImageSize): boolean => {
    const facet = imageFacetOf(channel.settings);
    const otherJob = jobAt(channel, { ...job, size: otherSize });
    return facet !== undefined && fitOf(facet, otherJob).kind !== "none";
  };
  const possibleSizes = (family.exactSizes?.(model) ?? [])
    .filter((otherSize) => serving.some((channel) => canMake(channel, otherSize)))
    .map(sizeText);
  const wantedSize = size ? sizeText(size) : "This size";
  const refusal = `${wantedSize} cannot be made by the upstream that serves ${model}.`;
  const advice = possibleSizes.length === 0 ? "" : ` Use one of ${possibleSizes.join(", ")}.`;
  return new GatewayError("invalid_size", { param: "size", message: refusal + advice });
}

function sizeText({ width, height }: ImageSize): string {
  return `${width}x${height}`;
}

/** The most tokens that can be known before it is made. */
function mostTokens(job: ImageJob): ImageTokens {
  const { size, sizeClass, quality, partialImages } = job;
  return boundImageTokens({
    promptBytes: Buffer.byteLength(job.prompt),
    references: referencesOf(job).length,
    pixels: size ? size.width * size.height : classPixels(sizeClass),
    quality,
    partialImages: partialImages ?? 0,
  });
}

/** Pixels of a class such as "2K"; null when it is none. */
function classPixels(text: string | null): number | null {
  const [, thousands] = /^([1-9])k$/i.exec(text ?? "") ?? [];
  return thousands === undefined ? null : (Number(thousands) * 1024) ** 2;
}
