// Videos by another gateway with this API: the client's own body goes on as it is.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { VideoJob } from "../../families/video-job.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import { videoStatus, videoVariant } from "../openai-wire-videos.ts";
import { videosAddress } from "../openai-wire.ts";
import type { VideoCall, VideoFacet } from "../upstream.ts";
import { namedIn, takenBody } from "../kit/video-reply.ts";
import { withoutOwn } from "./own-fields.ts";

export const video: VideoFacet = {
  lacks,
  start,
  status: videoStatus,
  find,
  cancel,
  variant: videoVariant,
};

const lengthFields = new Set(["seconds", "duration", "durationSeconds", "duration_seconds"]);

/** Assets are registered here and unknown there. */
function lacks({ media }: VideoJob): string | null {
  return media.find(({ source }) => source.kind === "asset")?.param ?? null;
}

async function start(job: VideoJob, original: JsonObject, call: VideoCall): Promise<string> {
  const { url, headers } = videosAddress(call.target);
  const agreed = withResolved(withLength(original, job.seconds), job);
  const reply = await call.send({
    method: "POST",
    // A repeat of this request on its way makes no second video.
    address: { url, headers: { ...headers, "idempotency-key": call.taskId } },
    body: { ...withoutOwn(agreed), model: call.model },
  });
  return namedIn(takenBody(reply, readOpenaiFault), "id");
}

/** A length that is said twice may be read there in the other place: both say what was priced. */
function withLength(body: JsonObject, seconds: number | null): JsonObject {
  if (seconds === null) return body;
  const entries = Object.entries(body).map(([name, value]): [string, Json | undefined] => {
    if (name === "metadata" && isObject(value)) return [name, withLength(value, seconds)];
    if (!lengthFields.has(name)) return [name, value];
    return [name, typeof value === "number" ? seconds : String(seconds)];
  });
  return Object.fromEntries(entries);
}

const ratioFields = ["ratio", "aspect_ratio"];
const shapeFields = [...ratioFields, "size", "resolution", "metadata"];

/** Values that the family took for another, or passed over, as the other vendors get them. */
function withResolved(body: JsonObject, { ratio, size }: VideoJob): JsonObject {
  const resolved: JsonObject = { ...body };
  const saysShape = shapeFields.some((name) => (body[name] ?? "") !== "");
  if (size !== null && !saysShape) resolved["size"] = `${size.width}x${size.height}`;
  for (const name of ratioFields) {
    if (ratio !== null && typeof body[name] === "string") resolved[name] = ratio;
  }
  const audios = body["referenceAudios"];
  if (Array.isArray(audios)) resolved["referenceAudios"] = audios.filter(isAddress);
  return resolved;
}

function isAddress(audio: Json): boolean {
  return typeof audio === "string" && /^https?:/i.test(audio);
}

/**
 * Find the task by the key that our id was for its create. A gateway that does not know the
 * question lists what it likes, and does not say the key again: it cannot tell.
 */
async function find(call: VideoCall): Promise<string | null | undefined> {
  const { url, headers } = videosAddress(call.target);
  const address = { url: `${url}?idempotency_key=${encodeURIComponent(call.taskId)}`, headers };
  const reply = await call.send({ method: "GET", address });
  const { idempotency_key: key, data } = takenBody(reply, readOpenaiFault);
  if (key !== call.taskId || !Array.isArray(data)) return undefined;
  const [video] = data;
  return isObject(video) ? namedIn(video, "id") : null;
}

/** It would delete a finished video as well, and that one was charged for. */
async function cancel(id: string, call: VideoCall): Promise<boolean> {
  if ((await videoStatus(id, call)).kind !== "pending") return false;
  const reply = await call.send({ method: "DELETE", address: videosAddress(call.target, id) });
  // Refused because it is too late, or cannot be stopped.
  if (reply.status === 404 || reply.status === 409) return false;
  return takenBody(reply, readOpenaiFault)["deleted"] === true;
}
