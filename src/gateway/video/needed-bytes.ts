// References by URL are handed on as they are. Only where every vendor that serves the model wants
// bytes are they fetched here, guarded as every address that a user gives.
import { GatewayError } from "../../core/errors.ts";
import type { JobMedia, JobSource, VideoJob } from "../../families/video-job.ts";
import { piecesOf, type GuardedFetch } from "../../media/fetch.ts";
import { mediaKindOf, sniff } from "../../media/sniff.ts";

const bytesMax = 30 * 1024 * 1024;

export interface ReferenceNeeds {
  fetch: Pick<GuardedFetch, "open">;
  fetchTimeoutMs: number;
}

/** The job as some channel can run it: with bytes in place of addresses where that is needed. */
export async function withNeededBytes(
  needs: ReferenceNeeds,
  job: VideoJob,
  fits: (job: VideoJob) => boolean,
): Promise<VideoJob> {
  if (!job.media.some(({ source }) => source.kind === "url") || fits(job)) return job;
  if (!fits({ ...job, media: job.media.map(withAnyBytes) })) return job;
  const media: JobMedia[] = [];
  for (const reference of job.media) media.push(await withBytes(needs, reference));
  return { ...job, media };
}

const anyTypes = { image: "image/png", video: "video/mp4", audio: "audio/mp3" } as const;

/** To ask whether bytes would do, before any are fetched. */
function withAnyBytes(media: JobMedia): JobMedia {
  if (media.source.kind !== "url") return media;
  return { ...media, source: { kind: "bytes", type: anyTypes[media.kind], base64: "AAAA" } };
}

type Fetchable = Pick<JobMedia, "source" | "param" | "kind">;

/** Throws the 400 that names the field when it cannot be had. */
export async function withBytes<Media extends Fetchable>(
  needs: ReferenceNeeds,
  media: Media,
): Promise<Media> {
  const { source, param, kind } = media;
  if (source.kind !== "url") return media;
  try {
    return { ...media, source: await fetchBytes(needs, source.url, kind) };
  } catch {
    // One answer for all that can go wrong: what is behind an address is nobody's business.
    const message = `${param} could not be fetched as ${kind}.`;
    throw new GatewayError("invalid_request", { param, message });
  }
}

async function fetchBytes(
  { fetch, fetchTimeoutMs: timeoutMs }: ReferenceNeeds,
  url: string,
  kind: JobMedia["kind"],
): Promise<JobSource> {
  const fetched = await fetch.open(url, { allowPrivate: false, bytesMax, timeoutMs });
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of piecesOf(fetched)) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    const type = sniff(bytes);
    if (!type || mediaKindOf(type) !== kind) throw new TypeError("not what it is called");
    return { kind: "bytes", type, base64: bytes.toString("base64") };
  } finally {
    fetched.close();
  }
}
