// Videos by Veo: a long running operation that is asked about by its name. Nothing of ours goes
// along and there is no list, so a lost job cannot be found again.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { VideoJob } from "../../families/video-job.ts";
import type { Address, VideoCall, VideoFacet, VideoProgress, VideoResult } from "../upstream.ts";
import { namedIn, takenBody } from "../kit/video-reply.ts";
import { addressBelow, bareName, placed } from "./address.ts";
import { readFault } from "./errors.ts";
import { lacks, toRequest } from "./video-request.ts";

export const video: VideoFacet = { lacks, start, status };

async function start(job: VideoJob, _original: JsonObject, call: VideoCall): Promise<string> {
  const path = `models/${bareName(call.model)}`;
  const reply = await call.send({
    method: "POST",
    address: placed(addressBelow(path, call.target, { verb: ":predictLongRunning" })),
    body: toRequest(job),
  });
  return namedIn(takenBody(reply, readFault), "name");
}

async function status(operation: string, call: VideoCall): Promise<VideoProgress> {
  const address = placed(addressBelow(operation, call.target));
  const body = takenBody(await call.send({ method: "GET", address }), readFault);
  if (body["done"] !== true) return { kind: "pending", status: "in_progress", progress: null };
  if (isObject(body["error"])) return readFailure(body["error"]);
  const response = objectIn(objectIn(body, "response"), "generateVideoResponse");
  const result = readResult(response, address);
  if (result) return { kind: "completed", result, seconds: null, tokens: null };
  const message = listIn(response, "raiMediaFilteredReasons").filter(isText).join(" ");
  return {
    kind: "failed",
    code: "content_policy_violation",
    message: message === "" ? "The upstream withheld the video." : message,
  };
}

function readFailure(error: JsonObject): VideoProgress {
  const { status: name, message } = error as Record<string, Json | undefined>;
  return {
    kind: "failed",
    code: isText(name) ? name.toLowerCase() : "task_failed",
    message: isText(message) ? message : "The upstream could not make the video.",
  };
}

function readResult(response: JsonObject, operation: Address): VideoResult | null {
  const [sample] = listIn(response, "generatedSamples");
  const video = isObject(sample) ? objectIn(sample, "video") : {};
  const { uri, encodedVideo } = video as Record<string, Json | undefined>;
  if (isText(encodedVideo)) return { kind: "bytes", base64: encodedVideo };
  if (!isText(uri)) return null;
  // The key opens the vendor's own files; no other host gets to see it.
  const isOwn = URL.parse(uri)?.origin === URL.parse(operation.url)?.origin;
  return { kind: "url", url: uri, headers: isOwn ? operation.headers : {} };
}

function objectIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name];
  return isObject(value) ? value : {};
}

function listIn(holder: JsonObject, name: string): Json[] {
  const value = holder[name];
  return Array.isArray(value) ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
