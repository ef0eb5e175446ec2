// Videos by Veo: a long running operation, which is asked about by a call to the model and not at
// an address of its own. Nothing of ours goes along and there is no list, so a lost job stays lost.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { VideoJob } from "../../families/video-job.ts";
import { filteredVideo, readVeoFailure } from "../kit/google/video-reply.ts";
import { placed } from "../kit/google/path.ts";
import { lacks, toRequest } from "../kit/google/video-request.ts";
import { listIn, partOf, textOf } from "../kit/vendor-reply.ts";
import { namedIn, takenBody } from "../kit/video-reply.ts";
import type { Address, VideoCall, VideoFacet, VideoProgress, VideoResult } from "../upstream.ts";
import { modelAddress } from "./address.ts";
import { downloadAddress, fileUrl } from "./download.ts";
import { readVertexFault } from "./errors.ts";

const place = { isVertex: true };

export const video: VideoFacet = { lacks: (job) => lacks(job, place), start, status };

async function start(job: VideoJob, _original: JsonObject, call: VideoCall): Promise<string> {
  const address = placed(modelAddress(call.target, call.model, { verb: ":predictLongRunning" }));
  const body = toRequest(job, call.model, place);
  const reply = await call.send({ method: "POST", address, body });
  return namedIn(takenBody(reply, readVertexFault), "name");
}

async function status(operation: string, call: VideoCall): Promise<VideoProgress> {
  const { target, model } = call;
  const address = placed(modelAddress(target, model, { verb: ":fetchPredictOperation" }));
  const body = { operationName: operation };
  const reply = takenBody(await call.send({ method: "POST", address, body }), readVertexFault);
  if (reply["done"] !== true) return { kind: "pending", status: "in_progress", progress: null };
  if (isObject(reply["error"])) return readVeoFailure(reply["error"]);
  const response = partOf(reply, "response");
  const result = readResult(response, address);
  if (result === null) return filteredVideo(response);
  return { kind: "completed", result, seconds: null, tokens: null };
}

/** Bytes, or the place of a file where the project has its videos put into a bucket. */
function readResult(response: JsonObject, operation: Address): VideoResult | null {
  const videos = listIn(response, "videos").filter(isObject);
  const textIn = (name: string) =>
    videos.map((video) => textOf(video[name])).find((text) => text !== null);
  const base64 = textIn("bytesBase64Encoded");
  if (base64 !== undefined && base64 !== null) return { kind: "bytes", base64 };
  const url = fileUrl(textIn("gcsUri") ?? textIn("uri") ?? "");
  return url && { kind: "url", ...downloadAddress(url, operation) };
}
