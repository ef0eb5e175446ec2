// Starts a video as a long running operation.
import { readFaults } from "../../directives.ts";
import { readJobPlan } from "../../jobs.ts";
import { seedOf } from "../../writer/seed.ts";
import type { Prepare } from "../work.ts";
import { vendor } from "./operation.ts";
import { readVideoAsk } from "./request.ts";

export const prepareVideo: Prepare = (json, { jobs, key, model }) => {
  const { prompt, ...shape } = readVideoAsk(json);
  return {
    faults: readFaults(prompt, key),
    body() {
      const job = jobs.add({
        vendor,
        key,
        model,
        // The vendor has no place for a name of the caller's.
        reference: null,
        prompt,
        plan: readJobPlan(prompt, key),
        video: { ...shape, seed: seedOf(prompt) },
        details: {},
        id: (serial) => `models/${model}/operations/${serial}`,
      });
      return { name: job.id };
    },
  };
};
