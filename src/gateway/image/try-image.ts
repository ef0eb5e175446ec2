// One attempt of a request for images on one channel: run it, and have what came ready for the
// client, or open its stream up to the first picture.
import { toGatewayError } from "../../core/errors.ts";
import type { Choice } from "../../distribution/choose.ts";
import { FetchFailed } from "../../media/fetch.ts";
import { NotMedia } from "../../media/media.ts";
import type { ImageReply, MadeImage } from "../../upstreams/upstream.ts";
import type { Attempt } from "../attempt.ts";
import { teller } from "../conceal.ts";
import { fetchRulesOf } from "../target.ts";
import { deliverImage, type DeliveredImage, type DeliverRules } from "./deliver.ts";
import { HeldTexts } from "./held/texts.ts";
import type { ImageWork, TryImageNeeds } from "./image-work.ts";
import { judgeFailure } from "./judge-failure.ts";
import { openImageStream, type ServedStream } from "./open-stream.ts";
import type { MadeImages, MadePicture } from "./render-image.ts";
import { imageFacetOf, runImage, type ImageRun } from "./run-image.ts";

export type ServedImages = ServedMade | ServedStream;

export interface ServedMade {
  kind: "made";
  made: MadeImages;
  /** To be dropped by whoever answers. */
  held: HeldTexts;
}

export async function tryImage(
  needs: TryImageNeeds,
  work: ImageWork,
  choice: Choice,
): Promise<Attempt<ServedImages>> {
  if (work.disconnect.isLeft) return { kind: "abandoned" };
  const held = new HeldTexts(needs.holding);
  const run = toRun(work, choice, held);
  try {
    const facet = imageFacetOf(choice.channel.settings);
    // A stream has its pictures as base64; links are made here, when all is there.
    if (facet?.stream && work.job.stream && work.delivery !== "url") {
      return await openImageStream(needs, { facet, run });
    }
    const images = await make(needs, run, work);
    return { kind: "served", value: { kind: "made", made: images, held } };
  } catch (error) {
    await held.drop();
    return judgeFailure(error, run);
  }
}

function toRun(work: ImageWork, choice: Choice, held: HeldTexts): ImageRun {
  const { job, input, delivery, disconnect } = work;
  const { body, call } = input;
  const { scope } = call;
  const abort = new AbortController();
  disconnect.follow(abort);
  return {
    job: { ...job, delivery: delivery === "url" ? "url" : "b64_json" },
    original: body,
    choice,
    reference: scope.requestId,
    held,
    signal: abort.signal,
    disconnect,
    hops: scope.hops,
    trace: scope.trace ?? null,
  };
}

async function make(needs: TryImageNeeds, run: ImageRun, work: ImageWork): Promise<MadeImages> {
  const reply = await runImage(needs.running, run);
  const { pictures, failures } = await deliverAll(needs, reply, { run, work });
  const { channel, key } = run.choice;
  const { client: conceal } = teller({ settings: channel.settings, key });
  return {
    pictures,
    failures: failures.map(({ code, message }) => ({
      code: conceal(code),
      message: conceal(message),
    })),
    quality: reply.quality,
    background: reply.background,
    usage: shareOf(reply, pictures.length),
    createdAtSeconds: Math.floor(needs.running.clock.nowMs() / 1000),
  };
}

const notDelivered = {
  code: "bad_response_body",
  message: "The upstream's image could not be read.",
};

/** One by one, which bounds what they take; throws when there is none. */
async function deliverAll(
  needs: TryImageNeeds,
  { images, failures }: ImageReply,
  { run, work }: { run: ImageRun; work: ImageWork },
): Promise<{ pictures: MadePicture[]; failures: ImageReply["failures"] }> {
  const { held, choice } = run;
  const { address } = work.input;
  const rules = {
    held,
    fetching: fetchRulesOf({ settings: choice.channel.settings, key: choice.key }),
  };
  const pictures: MadePicture[] = [];
  const missed = [...failures];
  // More than was asked for was not paid for.
  for (const image of images.slice(0, work.job.count)) {
    try {
      const delivered = await deliver(needs, image, work, rules);
      const { mediaId } = delivered;
      const url = mediaId === null ? null : needs.delivering.media.link(mediaId, address);
      const { revisedPrompt, size } = image;
      pictures.push({ ...delivered, url, revisedPrompt, size });
    } catch (error) {
      if (!isOfVendor(error)) throw toGatewayError(error);
      missed.push(notDelivered);
    }
  }
  if (pictures.length === 0) throw new NotMedia(notDelivered.message);
  return { pictures, failures: missed };
}

/** Nobody gets what a client did not wait for: it is only counted. */
async function deliver(
  { delivering }: TryImageNeeds,
  image: MadeImage,
  { disconnect, delivery }: ImageWork,
  rules: DeliverRules,
): Promise<DeliveredImage> {
  if (!disconnect.isLeft) return await deliverImage(delivering, image, delivery, rules);
  if (image.source.kind === "bytes") {
    return await deliverImage(delivering, image, "b64_json", rules);
  }
  return { mediaId: null, base64: null, type: "image/png", width: null, height: null };
}

function isOfVendor(error: unknown): boolean {
  return error instanceof FetchFailed || error instanceof NotMedia;
}

/** Divide the vendor's count where it made more than was delivered. */
export function shareOf({ usage, images }: ImageReply, delivered: number): ImageReply["usage"] {
  if (!usage || delivered === images.length) return usage;
  const part = (count: number) => Math.ceil((count * delivered) / images.length);
  const [inputTokens, outputTokens] = [part(usage.inputTokens), part(usage.outputTokens)];
  const none = { inputTextTokens: null, inputImageTokens: null };
  const totalTokens = inputTokens + outputTokens;
  return { ...usage, ...none, inputTokens, outputTokens, totalTokens, outputTextTokens: null };
}
