// Images, from a parsed body to an answer: read, find channels, price, hold, attempt, deliver,
// settle. What is charged is what the client gets.
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ImageFamily } from "../../families/image-family.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { findImageFamily, imageModel } from "../../families/index.ts";
import type { Answer } from "../answer.ts";
import { attemptChannels, type Lease } from "../attempt.ts";
import { answerImages, answerStream } from "./answer-image.ts";
import type { Delivery } from "./deliver.ts";
import type { ImageCallIn, ImageParts, ImageWork } from "./image-work.ts";
import { openImage } from "./open-image.ts";
import { failImage } from "./settle-image.ts";
import { tryImage, type ServedImages } from "./try-image.ts";

export async function serveImage(parts: ImageParts, call: ImageCallIn): Promise<Answer> {
  let model = "";
  let work: ImageWork | null = null;
  try {
    const family = findFamily(call);
    const job = family.parse(call.body, call);
    ({ model } = job);
    work = await open(parts, call, { family, job });
    const lease = await attempt(parts, work);
    return await answer(parts, work, lease);
  } catch (error) {
    const shown = toGatewayError(error);
    await failImage(parts, shown, { call, work, model });
    throw shown;
  }
}

/** Throws the 400 of a model that is missing, or the 503 of one that nobody knows. */
export function findFamily({ kind, body }: Pick<ImageCallIn, "kind" | "body">): ImageFamily {
  const given = imageModel(body, kind);
  if (given === "") {
    throw new GatewayError("invalid_request", { param: "model", message: "model is required" });
  }
  const family = findImageFamily(given);
  if (!family) throw new GatewayError("model_not_found", { param: "model" });
  return family;
}

async function open(
  parts: ImageParts,
  call: ImageCallIn,
  { family, job }: { family: ImageFamily; job: ImageJob },
): Promise<ImageWork> {
  const { body, caller, scope } = call;
  const opened = await openImage(parts, { family, job, body, caller });
  const { account, key, micros, price } = opened;
  const reservation = parts.ledger.reserve({
    id: scope.requestId,
    account,
    key,
    group: caller.group,
    model: job.model,
    micros,
    price: JSON.stringify(price),
  });
  const delivery = deliveryOf(family, job, body);
  const progress = { attempts: 0, channel: null };
  return { call, job, delivery, opened, progress, reservation };
}

/**
 * What the client asked for. Where it said nothing, links: but by the vendor's own names base64,
 * as the vendor has it, and for edits both, since clients that cannot say it read base64 there.
 */
export function deliveryOf(
  { isWithoutLinks }: ImageFamily,
  { delivery, kind, stream }: ImageJob,
  { model }: JsonObject,
): Delivery {
  if (delivery !== null) return delivery;
  if (stream || (typeof model === "string" && isWithoutLinks?.(model))) return "b64_json";
  return kind === "edit" ? "both" : "url";
}

function attempt(parts: ImageParts, work: ImageWork): Promise<Lease<ServedImages>> {
  return attemptChannels(parts, work.opened.candidates, work.progress, (choice) =>
    tryImage(parts, work, choice),
  );
}

async function answer(
  parts: ImageParts,
  work: ImageWork,
  lease: Lease<ServedImages>,
): Promise<Answer> {
  const { value } = lease;
  if (value.kind === "made") return await answerImages(parts, work, { lease, served: value });
  // A stream shows something before it is settled, so its hold must be safe by then.
  await work.reservation.written;
  return answerStream(parts, work, { lease, served: value });
}
