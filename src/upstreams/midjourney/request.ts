// Requests to the proxy. Our own id goes along as the note that it keeps.
import type { Json, JsonObject } from "../../core/json.ts";
import type { ImgFJob } from "../../families/img-f-job.ts";
import type { ImgFCall } from "../upstream.ts";

const usualDimensions = "SQUARE";

export function toBody(job: ImgFJob, { taskId, parent }: ImgFCall): JsonObject {
  const fields: Record<string, Json | undefined> = { ...fieldsOf(job, parent), state: taskId };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function fieldsOf(job: ImgFJob, parent: string | null): Record<string, Json | undefined> {
  const { images, prompt, bot } = job;
  const botType = bot ?? undefined;
  switch (job.action) {
    case "imagine":
      return {
        prompt: prompt ?? "",
        base64Array: images.length === 0 ? undefined : images,
        botType,
      };
    case "blend":
      return { base64Array: images, dimensions: job.dimensions ?? usualDimensions, botType };
    case "describe":
      return { base64: images[0], botType };
    case "change":
      return {
        taskId: known(parent),
        action: job.change ?? undefined,
        index: job.index ?? undefined,
      };
    case "action":
      return { taskId: known(parent), customId: job.customId ?? undefined };
    case "modal":
      return {
        taskId: known(parent),
        prompt: prompt ?? undefined,
        maskBase64: job.mask ?? undefined,
      };
  }
}

function known(parent: string | null): string {
  if (parent === null) throw new TypeError("a job that goes on from another does not name it");
  return parent;
}
