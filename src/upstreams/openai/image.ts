// Images by gpt-image: from a prompt by JSON, from other images by a form.
import type { JsonObject } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import { joinCalls } from "../kit/image-calls.ts";
import { sizeText } from "../kit/picture-shape.ts";
import { takenBody } from "../kit/video-reply.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import { readMadeImages } from "../openai-wire-images.ts";
import { imagesAddress } from "../openai-wire.ts";
import type { ImageCall, ImageFacet, ImageReply, VendorRequest } from "../upstream.ts";
import { kindOf, lacks, toBody } from "./image-request.ts";
import { toVendorSize } from "./image-size.ts";

export const image: ImageFacet = { lacks, run, stream };

/** More are made by several calls. */
const countMax = 10;

function run(job: ImageJob, _original: JsonObject, call: ImageCall): Promise<ImageReply> {
  const size = toVendorSize(job, call.model);
  return joinCalls(Math.ceil(job.count / countMax), async (index) => {
    const count = Math.min(countMax, job.count - index * countMax);
    const reply = await call.send(toRequest(job, call, { count, isStream: false }));
    return readMadeImages(takenBody(reply, readOpenaiFault), size ? sizeText(size) : null);
  });
}

function stream(job: ImageJob, _original: JsonObject, call: ImageCall): VendorRequest {
  return toRequest(job, call, { count: job.count, isStream: true });
}

function toRequest(
  job: ImageJob,
  { target, model }: ImageCall,
  ask: { count: number; isStream: boolean },
): VendorRequest {
  const address = imagesAddress(target, kindOf(job));
  return { method: "POST", address, body: toBody(job, { ...ask, model }) };
}
