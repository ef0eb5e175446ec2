// Videos by Veo: a long running operation that is asked about by its name. Nothing of ours goes
// along and there is no list, so a lost job cannot be found again.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { VideoJob } from "../../families/video-job.ts";
import type { Address, VideoCall, VideoFacet, VideoProgress, VideoResult } from "../upstream.ts";
import { listIn, partOf, textOf } from "../kit/vendor-reply.ts";
import { namedIn, takenBody } from "../kit/video-reply.ts";
import { bareName, placed } from "../kit/google/path.ts";
import { addressBelow } from "./address.ts";
import { readGoogleFault } from "../kit/google/faults.ts";
import { filteredVideo, readVeoFailure } from "../kit/google/video-reply.ts";
import { lacks, toRequest } from "../kit/google/video-request.ts";

const place = { isVertex: false };

export const video: VideoFacet = { lacks: (job) => lacks(job, place), start, status };

async function start(job: VideoJob, _original: JsonObject, call: VideoCall): Promise<string> {
  const path = `models/${bareName(call.model)}`;
  const reply = await call.send({
    method: "POST",
    address: placed(addressBelow(path, call.target, { verb: ":predictLongRunning" })),
    body: toRequest(job, call.model, place),
  });
  return namedIn(takenBody(reply, readGoogleFault), "name");
}

async function status(operation: string, call: VideoCall): Promise<VideoProgress> {
  const address = placed(addressBelow(operation, call.target));
  const body = takenBody(await call.send({ method: "GET", address }), readGoogleFault);
  if (body["done"] !== true) return { kind: "pending", status: "in_progress", progress: null };
  if (isObject(body["error"])) return readVeoFailure(body["error"]);
  const response = partOf(partOf(body, "response"), "generateVideoResponse");
  const result = readResult(response, address);
  if (result) return { kind: "completed", result, seconds: null, tokens: null };
  return filteredVideo(response);
}

function readResult(response: JsonObject, operation: Address): VideoResult | null {
  const [sample] = listIn(response, "generatedSamples");
  const video = partOf(sample, "video");
  const [uri, base64] = [textOf(video["uri"]), textOf(video["encodedVideo"])];
  if (base64 !== null) return { kind: "bytes", base64 };
  if (uri === null) return null;
  // The key opens the vendor's own files; no other host gets to see it.
  const isOwn = URL.parse(uri)?.origin === URL.parse(operation.url)?.origin;
  return { kind: "url", url: uri, headers: isOwn ? operation.headers : {} };
}
