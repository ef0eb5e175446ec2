// A family of image models: what a request may say, and what it is charged by.
import type { ImageSize } from "../core/image-size.ts";
import type { JsonObject } from "../core/json.ts";
import type { FamilyField } from "./field.ts";
import type { ImageJob, ImageUnits } from "./image-job.ts";
import type { ModelNames } from "./model-names.ts";

export interface ImageFamily {
  name: string;
  /** Every name that selects this family, real vendors' names included. */
  models: readonly string[];
  /** Absent where every name is that of a model. */
  names?: ModelNames;
  /** True of the vendor's own names whose clients read base64 and know no links. */
  isWithoutLinks?(model: string): boolean;
  /** The sizes that a model promises to make exactly; absent where they are free. */
  exactSizes?(model: string): readonly ImageSize[];
  /** Checks every field and combination; throws the 400 that names the field. */
  parse(body: JsonObject, ask: ImageAsk): ImageJob;
  /** Fields a form offers for the model of this name, save its references. */
  fields(model: string): FamilyField[];
  /** The most that the job can be charged for. */
  units(job: ImageJob): ImageUnits;
}

export interface ImageAsk {
  kind: ImageJob["kind"];
  /** The body came as a form: its files stand as `{filename, type, base64}`, numbers as text. */
  isForm: boolean;
}
