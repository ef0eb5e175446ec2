// Result of every endpoint: its answer, and what was asked of it.
import type { Json } from "../../src/core/json.ts";
import type { Faults } from "../directives.ts";
import type { JobBook } from "../jobs.ts";

export interface WorkContext {
  /** Unique in this sandbox. */
  serial: string;
  /** Length of an ordinary answer. */
  words: number;
  jobs: JobBook;
  key: string;
  /** The address's name for it. */
  model: string;
}

export interface Work {
  faults: Faults;
  body(): object;
  /** The same as a stream of bodies; absent where the endpoint has no streams. */
  chunks?(): object[];
}

export type Prepare = (json: Json, context: WorkContext) => Work;
