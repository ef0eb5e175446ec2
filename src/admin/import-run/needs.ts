// Needs of an import that the gateway runs by itself. The work is the gateway's own.
import type { Operator } from "../../identity/caller.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { WorkProgress } from "../progress.ts";
import type {
  ImportFileView,
  ImportProgram,
  ImportReportView,
  ImportRunInput,
  ImportStep,
} from "./contract.ts";

export interface ImportFile {
  kind: ImportFileView["kind"];
  name: string;
  bytes: number;
  atMs: number;
}

export type ImportWork = WorkProgress<"dry" | "real", ImportStep, ImportReportView>;

export interface ImportRuns {
  /** Words on how else it is done, where nodes share the rows; null otherwise. */
  readonly elsewhere: string | null;
  readonly work: ImportWork | null;
  /** Program of the work. */
  readonly program: ImportProgram;
  files(): readonly ImportFile[];
  /** Bytes for which there is room. */
  uploadBytesMax(kind: ImportFile["kind"]): number;
  keep(
    file: Pick<ImportFile, "kind" | "name">,
    pieces: AsyncIterable<Uint8Array>,
  ): Promise<ImportFile>;
  /** Returns how many there were. */
  remove(): number;
  run(operator: Operator, input: ImportRunInput): ImportWork;
}

export interface ImportRunNeeds {
  noting: NotingNeeds;
  runs: ImportRuns;
}
