// A family is the public contract of a set of models: what a request may say, what it is charged by
// and how its task is shown. Each is a folder; the registry has one line for it.
import type { JsonObject } from "../core/json.ts";
import type { FamilyField } from "./field.ts";
import type { ModelNames } from "./model-names.ts";
import type { VideoJob, VideoUnits } from "./video-job.ts";

export interface VideoFamily {
  name: string;
  /** Every name that selects this family, real vendors' names included. */
  models: readonly string[];
  /** Absent where every name is that of a model. */
  names?: ModelNames;
  /** The envelope of its errors. */
  envelope: "a" | "c";
  /** Whether its media may be registered assets. */
  takesAssets?: boolean;
  /** Checks every field and combination; throws the 400 that names the field. */
  parse(body: JsonObject): VideoJob;
  /** Fields a form offers for the model of this name; of media those it cannot do without. */
  fields(model: string): FamilyField[];
  /** The body of the unified route in the family's own words. */
  unified?(body: JsonObject): JsonObject;
  /** The most that the job can be charged for. */
  units(job: VideoJob): VideoUnits;
  /** Units a finished job is charged for; as many as were held for when it is left out. */
  actual?(job: VideoJob, delivered: DeliveredMedia): VideoUnits;
  /** The task as the family's clients read it. */
  render(task: ShownTask): JsonObject;
}

/** The vendor's word on the media it made. */
export interface DeliveredMedia {
  seconds: number | null;
  tokens: number | null;
}

export type TaskStatus = "queued" | "in_progress" | "completed" | "failed";

export interface ShownTask {
  id: string;
  /** The model, by the name that clients see. */
  model: string;
  status: TaskStatus;
  /** Percent; 100 once it is completed. */
  progress: number;
  createdAtSeconds: number;
  /** Null until it has ended. */
  completedAtSeconds: number | null;
  /** Null until there is a result. */
  videoUrl: string | null;
  error: { code: string; message: string } | null;
  delivered: DeliveredMedia;
  job: VideoJob;
  /** The task was just made, and this is the answer to its creation. */
  isNew: boolean;
}
