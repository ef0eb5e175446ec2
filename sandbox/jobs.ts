// The jobs of every vendor whose work takes a while. A job's state follows from the clock alone:
// nothing runs, and nothing is lost when nobody asks.
import type { Clock } from "../src/core/clock.ts";
import type { JsonObject } from "../src/core/json.ts";
import { directivesOf } from "./directives.ts";
import type { VideoShape } from "./mp4/index.ts";

type JobOutcome = "succeed" | "fail" | "filter";
export type JobState = "queued" | "running" | "succeeded" | "failed" | "filtered" | "cancelled";

/** A vendor's order for a job. */
export interface JobAsk {
  /** The vendor's prefix without its slash, such as "openai". */
  vendor: string;
  key: string;
  model: string;
  /** The caller's own name for the job, where it sent one. */
  reference: string | null;
  prompt: string;
  /** Duration and ending, as `readJobPlan` found them in the prompt. */
  plan: JobPlan;
  /** The finished video, for `writeMp4`. */
  video: VideoShape;
  /** Fields that the vendor wants to show again. */
  details: JsonObject;
  /** The vendor's way to write an id; the serial has digits only and is unique. */
  id(serial: string): string;
}

interface JobPlan {
  takesMs: number;
  outcome: JobOutcome;
}

export interface Job extends Omit<JobAsk, "id"> {
  id: string;
  createdMs: number;
  cancelledMs: number | null;
}

/** A job as it stands now. */
interface JobStand {
  state: JobState;
  /** Percent, growing with time; 100 only once it has succeeded. */
  progress: number;
  /** Null until it has ended. */
  endedMs: number | null;
}

/** One line of `GET /sandbox/jobs`. */
export interface JobLine {
  vendor: string;
  id: string;
  reference: string | null;
  state: JobState;
  model: string;
  prompt: string;
}

const usualTakesMs = 2000;
const queuedShare = 0.1;
const jobsMax = 10_000;

/** `sandbox:seconds=N` says how long it takes, `sandbox:fail` and `sandbox:filter` how it ends. */
export function readJobPlan(prompt: string, key: string): JobPlan {
  const plan: JobPlan = { takesMs: usualTakesMs, outcome: "succeed" };
  let isSet = false;
  for (const { name, value } of directivesOf(prompt, key)) {
    if (name === "fail" || name === "filter") plan.outcome = name;
    if (name !== "seconds" || value === null || isSet) continue;
    isSet = true;
    plan.takesMs = value * 1000;
  }
  return plan;
}

export class JobBook {
  readonly #clock: Clock;
  readonly #jobs = new Map<string, Job>();
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add({ id, ...ask }: JobAsk): Job {
    const createdMs = this.#clock.nowMs();
    // With the time in it an id is never given out again by a sandbox that was started anew.
    const serial = `${createdMs}${String(++this.#count % 1_000_000).padStart(6, "0")}`;
    const job: Job = { ...ask, id: id(serial), createdMs, cancelledMs: null };
    this.#jobs.set(nameOf(job), job);
    const [oldest] = this.#jobs.keys();
    if (this.#jobs.size > jobsMax && oldest !== undefined) this.#jobs.delete(oldest);
    return job;
  }

  /** Vendors show a job only to the key that made it. */
  find(vendor: string, key: string, id: string): Job | null {
    const job = this.#jobs.get(nameOf({ vendor, id }));
    return job?.key === key ? job : null;
  }

  /** Newest first. */
  list(vendor: string, key: string): Job[] {
    const own = [...this.#jobs.values()].filter((job) => job.vendor === vendor && job.key === key);
    return own.toReversed();
  }

  stand({ createdMs, cancelledMs, plan }: Job): JobStand {
    const { takesMs, outcome } = plan;
    const agedMs = this.#clock.nowMs() - createdMs;
    const share = takesMs === 0 ? 1 : Math.min(1, Math.max(0, agedMs / takesMs));
    const progress = Math.floor(share * 100);
    if (cancelledMs !== null) return { state: "cancelled", progress: 0, endedMs: cancelledMs };
    if (share < queuedShare) return { state: "queued", progress: 0, endedMs: null };
    if (share < 1) return { state: "running", progress, endedMs: null };
    const endedMs = createdMs + takesMs;
    if (outcome === "succeed") return { state: "succeeded", progress: 100, endedMs };
    return { state: outcome === "fail" ? "failed" : "filtered", progress: 99, endedMs };
  }

  /** True when it was still under way. */
  cancel(job: Job): boolean {
    if (this.stand(job).endedMs !== null) return false;
    job.cancelledMs = this.#clock.nowMs();
    return true;
  }

  remove(job: Job): void {
    this.#jobs.delete(nameOf(job));
  }

  lines(): JobLine[] {
    return [...this.#jobs.values()].map((job) => {
      const { vendor, id, reference, model, prompt } = job;
      return { vendor, id, reference, state: this.stand(job).state, model, prompt };
    });
  }
}

function nameOf({ vendor, id }: { vendor: string; id: string }): string {
  return `${vendor} ${id}`;
}
