// An import as it is asked for, kept until it is begun.
import { effect, signal } from "@preact/signals";
import type {
  AskOf,
  ControlApi,
  ImportRunsView,
  ImportWorkView,
} from "../../../../src/admin/contract.ts";
import { self } from "../../../core/session.ts";

export type Asked = AskOf<ControlApi["POST /api/import/run"]>["body"];

/** Programs by their own names. */
export const programs: Readonly<Record<Asked["program"], string>> = {
  "new-api": "new-api",
  "one-api": "one-api",
  litellm: "LiteLLM",
};

export const importPath = "/api/import/run";

interface Question {
  asked: Asked;
  /** Dry run that it began. */
  work: Pick<ImportWorkView, "program" | "started_at">;
}

/** In the memory of this tab alone, for it may have passwords in it; other pages leave it be. */
const question = signal<Question | null>(null);

/** Nobody who signs in after somebody else finds it. */
effect(() => {
  if (self.value === null) question.value = null;
});

export function keepQuestion(next: Question | null): void {
  question.value = next;
}

/** Null unless what is shown is its own dry run, of the files that are still there. */
export function openQuestion({ work, files }: ImportRunsView): Asked | null {
  const { asked, work: own } = question.value ?? {};
  if (!asked || !own || !isImportable(work)) return null;
  if (work.program !== own.program || work.started_at !== own.started_at) return null;
  return files.every(({ created_at: at }) => at <= own.started_at) ? asked : null;
}

/** A dry run whose sums are equal. */
export function isImportable(work: ImportWorkView | null): work is ImportWorkView {
  return work?.kind === "dry" && work.result?.money.equal === true;
}
