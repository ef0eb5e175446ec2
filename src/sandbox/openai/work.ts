// What both text endpoints hand back: the answer in both of its forms, and what was asked of it.
import type { Faults } from "../directives.ts";

export interface WorkContext {
  /** Unique in this sandbox. */
  serial: string;
  createdSeconds: number;
  words: number;
  bearer: string;
}

export interface Work {
  model: string;
  isStream: boolean;
  faults: Faults;
  body(): object;
  events(): Uint8Array[];
}
