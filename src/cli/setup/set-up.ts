// Sets an agent up in its folder, and takes that back. Everything is worked out before anything is
// written; the record is written before the files, so that a setup cut short can be taken back.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "../../core/digest.ts";
import type { Access, AgentFile, FileAgent } from "./agents.ts";
import { forOwner, readState, writeStates, type FileState } from "./files.ts";
import { holdsParts, PartError, putIn, writtenParts } from "./parts.ts";
import {
  formatOf,
  formerStates,
  readRecord,
  removeRecord,
  writeRecord,
  type RecordedFile,
  type SetupRecord,
} from "./record.ts";

interface Planned {
  state: FileState;
  recorded: RecordedFile;
}

/** Names the files that were changed. */
export function setUp(agent: FileAgent, folder: string, access: Access): string[] {
  const record = readRecord(folder);
  const former = record ? formerStates(record, folder) : new Map<string, FileState | null>();
  const planned = agent.files(access).map((file) => {
    const path = pathOf(folder, file);
    const kept = record?.files.find((one) => one.path === path);
    const base = former.has(path) ? (former.get(path) ?? null) : readState(path);
    return (kept && keep(kept, file)) ?? plan(path, base, file);
  });
  writeRecord(folder, {
    files: planned.map(({ recorded }) => recorded),
    madeFolder: record?.madeFolder ?? !existsSync(folder),
  });
  const states = planned.map(({ state, recorded }) => [recorded.path, state] as const);
  return writeStates(new Map([...former, ...states]));
}

/** Names the files that were put back; null where nothing was set up. */
export function undoSetUp(folder: string): string[] | null {
  const record: SetupRecord | null = readRecord(folder);
  if (!record) return null;
  const changed = writeStates(formerStates(record, folder));
  removeRecord(folder, record);
  return changed;
}

/** Texts of files that have nothing but our values in them. */
export function preview(agent: FileAgent, folder: string, access: Access): string {
  const texts = agent.files(access).map((file) => {
    const path = pathOf(folder, file);
    return `${path}\n\n${putIn(formatOf(path), "", file.parts).trim()}\n`;
  });
  return texts.join("\n");
}

function pathOf(folder: string, { names }: AgentFile): string {
  const paths = names.map((name) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? paths.at(-1) ?? folder;
}

/** A file that has all of it already, and may have been changed elsewhere since. */
function keep(recorded: RecordedFile, { parts }: AgentFile): Planned | null {
  const wanted = writtenParts(parts);
  const state = readState(recorded.path);
  const isSame = Bun.deepEquals(recorded.parts, wanted);
  if (!state || !isSame || !holdsParts(formatOf(recorded.path), state.text, wanted)) return null;
  return { state, recorded };
}

function plan(path: string, former: FileState | null, file: AgentFile): Planned {
  const text = change(path, former?.text ?? "", file);
  const now = readState(path)?.text ?? "";
  const mode = former?.mode ?? forOwner;
  const parts = writtenParts(file.parts);
  return {
    state: { text, mode: file.holdsKey ? mode & forOwner : mode },
    recorded: { path, former, digests: [...new Set([text, now])].map(digestOf), parts },
  };
}

function change(path: string, text: string, { parts }: AgentFile): string {
  try {
    return putIn(formatOf(path), text, parts);
  } catch (error) {
    if (!(error instanceof PartError)) throw error;
    throw new Error(`${path}: ${error.message}; nothing was changed`, { cause: error });
  }
}
