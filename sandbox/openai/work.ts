// Result of the endpoints: the answer in the forms it has, and what was asked of it.
import type { Faults } from "../directives.ts";
import type { JobBook } from "../jobs.ts";
import type { ResponseMemory } from "./responses/memory.ts";

export interface WorkContext {
  /** Unique in this sandbox. */
  serial: string;
  nowMs: number;
  words: number;
  bearer: string;
  memory: ResponseMemory;
  jobs: JobBook;
}

export interface Work {
  model: string;
  faults: Faults;
  body(): object;
  /** Null when no stream was asked for. */
  events: (() => Uint8Array[]) | null;
}

export function secondsOf({ nowMs }: WorkContext): number {
  return Math.floor(nowMs / 1000);
}
