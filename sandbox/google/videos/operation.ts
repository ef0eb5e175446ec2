// Operations that were started, and the files they end in.
import type { JobBook } from "../../jobs.ts";
import { writeMp4 } from "../../mp4/index.ts";
import { Refusal } from "../errors.ts";

export const vendor = "google";

const answerKind = "type.googleapis.com/google.ai.generativelanguage.v1beta";

interface OperationAsk {
  key: string;
  name: string;
  /** Beginning of links to files. */
  origin: string;
}

export function getOperation(jobs: JobBook, { key, name, origin }: OperationAsk): object {
  const job = jobs.find(vendor, key, name);
  if (!job) throw new Refusal(404, "Operation not found.");
  const { state, endedMs } = jobs.stand(job);
  if (endedMs === null) return { name };
  if (state !== "succeeded" && state !== "filtered") {
    const message = "Video generation failed due to an internal server issue.";
    return { name, done: true, error: { code: 13, message } };
  }
  const uri = `${origin}/${vendor}/v1beta/files/${serialOf(name)}:download?alt=media`;
  const filtered = {
    raiMediaFilteredCount: 1,
    raiMediaFilteredReasons: ["The video was filtered because it may violate our policies."],
  };
  const made = state === "filtered" ? filtered : { generatedSamples: [{ video: { uri } }] };
  const response = {
    "@type": `${answerKind}.PredictLongRunningResponse`,
    generateVideoResponse: made,
  };
  return { name, done: true, response };
}

/** A file bears the number of the operation that made it. */
export function getFile(jobs: JobBook, { key, id }: { key: string; id: string }): Uint8Array {
  const job = jobs.list(vendor, key).find((one) => serialOf(one.id) === id);
  if (!job || jobs.stand(job).state !== "succeeded") throw new Refusal(404);
  return writeMp4(job.video);
}

function serialOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
