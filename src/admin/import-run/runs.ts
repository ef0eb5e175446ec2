// Imports that the gateway runs by itself: sources come, a plan is shown, rows are taken.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { noteAlone } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { toSeconds } from "../input.ts";
import { toProgressView } from "../progress.ts";
import type { ImportFileView, ImportRunCalls, ImportRunsView, ImportWorkView } from "./contract.ts";
import type { ImportFile, ImportRunNeeds, ImportRuns, ImportWork } from "./needs.ts";

export async function readImportRuns({ runs }: ImportRunNeeds): Promise<ImportRunsView> {
  return {
    elsewhere: runs.elsewhere,
    upload_bytes_max: runs.uploadBytesMax("database"),
    files: runs.files().map(toFileView),
    work: runs.work && toWorkView(runs, runs.work),
  };
}

/** Neither the address nor the salt is noted: they are secrets. */
export async function startImportRun(
  { noting, runs }: ImportRunNeeds,
  operator: Operator,
  { body }: InputOf<ImportRunCalls["start"]>,
): Promise<ImportWorkView> {
  assertHere(runs);
  const work = runs.run(operator, body);
  await noteAlone(noting, operator, {
    action: "import.run",
    target: work.name,
    changes: { program: body.program, dry_run: body.dry_run },
  });
  return toWorkView(runs, work);
}

export async function uploadImport(
  { noting, runs }: ImportRunNeeds,
  operator: Operator,
  { query: { kind, name }, pieces }: InputOf<ImportRunCalls["upload"]>,
): Promise<ImportFileView> {
  assertHere(runs);
  const file = await runs.keep({ kind, name }, pieces(runs.uploadBytesMax(kind)));
  await noteAlone(noting, operator, {
    action: "import.upload",
    target: name,
    changes: { kind, bytes: file.bytes },
  });
  return toFileView(file);
}

export async function removeImports(
  { noting, runs }: ImportRunNeeds,
  operator: Operator,
): Promise<{ removed: number }> {
  const files = runs.files();
  const removed = runs.remove();
  for (const { name } of files) {
    await noteAlone(noting, operator, { action: "import.remove", target: name });
  }
  return { removed };
}

function assertHere({ elsewhere }: ImportRuns): void {
  if (elsewhere !== null) throw new GatewayError("conflict", { message: elsewhere });
}

function toFileView({ kind, name, bytes, atMs }: ImportFile): ImportFileView {
  return { kind, name, bytes, created_at: toSeconds(atMs) };
}

function toWorkView({ program }: ImportRuns, work: ImportWork): ImportWorkView {
  return { ...toProgressView(work), kind: work.kind, program, result: work.result };
}
