// The seam between the runtime's pictures and the makers of its models.
import type { JsonObject } from "../../../core/json.ts";
import type { ImageJob, JobImage } from "../../../families/image-job.ts";
import type { ImageReply } from "../../upstream.ts";

/** One of the calls that a job takes. */
export interface PictureCall {
  model: string;
  /** Ours, of the request. */
  reference: string;
  index: number;
}

export interface PictureModel {
  /** The field that its models cannot express, besides what none on the runtime can. */
  lacks(job: ImageJob): string | null;
  toBody(job: ImageJob, call: PictureCall): JsonObject;
  /** Throws where the answer brings no picture. */
  read(body: JsonObject, job: ImageJob): ImageReply;
}

/** Base64 of a picture that came as bytes, as all have by then. */
export function base64Of({ source }: JobImage): string {
  return source.kind === "bytes" ? source.base64 : "";
}

export function pictureReply(base64: string, outputFormat: string): ImageReply {
  return {
    images: [{ source: { kind: "bytes", base64 }, revisedPrompt: null, size: null }],
    failures: [],
    quality: null,
    background: null,
    outputFormat,
    usage: null,
  };
}
