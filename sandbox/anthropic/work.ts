// Results of both endpoints, and the context they get besides the body.
import type { Faults } from "../directives.ts";
import type { Wire } from "./request/schema.ts";

export interface WorkContext {
  /** Unique in this sandbox. */
  serial: string;
  words: number;
  key: string;
  wire: Wire;
}

export interface Work {
  model: string;
  isStream: boolean;
  faults: Faults;
  body(): object;
  events(): Uint8Array[];
}
