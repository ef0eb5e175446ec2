// Reference images by URL, as a vendor takes them: handed on as they are, or fetched here where it
// wants bytes.
import type { Channel } from "../../distribution/channel.ts";
import type { ImageJob, JobImage } from "../../families/image-job.ts";
import { namesOf } from "../../families/model-names.ts";
import type { ImageFacet } from "../../upstreams/upstream.ts";
import { withBytes, type ReferenceNeeds } from "../video/needed-bytes.ts";

/** Ways in which a vendor can run a job; `lacks` is the field that it cannot express. */
type Fit = { kind: "as it is" } | { kind: "with bytes" } | { kind: "none"; lacks: string };

/** The job with its model as the channel's vendor names it: one vendor's models differ. */
export function jobAt(channel: Channel, job: ImageJob): ImageJob {
  return { ...job, model: channel.upstreamModelOf(namesOf(job)) };
}

export function fitOf({ lacks }: Pick<ImageFacet, "lacks">, job: ImageJob): Fit {
  const lacking = lacks(job);
  if (lacking === null) return { kind: "as it is" };
  const hasUrls = referencesOf(job).some(({ source }) => source.kind === "url");
  if (hasUrls && lacks(withReferences(job, withAnyBytes)) === null) return { kind: "with bytes" };
  return { kind: "none", lacks: lacking };
}

/** Throws the 400 that names the field of an address which cannot be fetched. */
export async function withImageBytes(
  needs: ReferenceNeeds,
  facet: Pick<ImageFacet, "lacks">,
  job: ImageJob,
): Promise<ImageJob> {
  if (fitOf(facet, job).kind !== "with bytes") return job;
  const fetched = new Map<JobImage, JobImage>();
  for (const reference of referencesOf(job)) {
    const { source, param } = await withBytes(needs, { ...reference, kind: "image" as const });
    fetched.set(reference, { source, param });
  }
  return withReferences(job, (reference) => fetched.get(reference) ?? reference);
}

export function referencesOf({ images, mask }: ImageJob): JobImage[] {
  return mask ? [...images, mask] : images;
}

function withReferences(job: ImageJob, change: (image: JobImage) => JobImage): ImageJob {
  return { ...job, images: job.images.map(change), mask: job.mask && change(job.mask) };
}

/** To ask whether bytes would do, before any are fetched. */
function withAnyBytes(image: JobImage): JobImage {
  if (image.source.kind !== "url") return image;
  return { ...image, source: { kind: "bytes", type: "image/png", base64: "AAAA" } };
}
