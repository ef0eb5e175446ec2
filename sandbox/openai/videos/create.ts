// Starts a video.
import { readFaults, type Faults } from "../../directives.ts";
import { readJobPlan } from "../../jobs.ts";
import type { VendorRequest } from "../../vendor.ts";
import { seedOf } from "../../writer/seed.ts";
import type { WorkContext } from "../work.ts";
import { readVideoRequest } from "./request.ts";
import { renderVideo, vendor } from "./stored.ts";

interface StartedVideo {
  model: string;
  faults: Faults;
  /** Starts the job; not called for a request that is refused. */
  body(): object;
}

export function createVideo(request: VendorRequest, context: WorkContext): StartedVideo {
  const { model, prompt, seconds, size, metadata } = readVideoRequest(request);
  const { bearer: key, jobs } = context;
  const reference = metadata["task_id"];
  return {
    model,
    faults: readFaults(prompt, key),
    body() {
      const job = jobs.add({
        vendor,
        key,
        model,
        reference: typeof reference === "string" ? reference : null,
        prompt,
        plan: readJobPlan(prompt, key),
        video: { ...size, seconds, seed: seedOf(prompt) },
        details: { metadata },
        id: (serial) => `video_${serial}`,
      });
      return renderVideo(job, jobs);
    },
  };
}
