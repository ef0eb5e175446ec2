// The record of a setup, beside the first of the agent's files: what was there before, and digests
// of what was written. It leads back to the same bytes where nobody has touched the files since;
// where somebody has, to theirs without our values.
import { rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { digestOf } from "../../core/digest.ts";
import { isObject } from "../../core/json.ts";
import { envFormat } from "./env-format.ts";
import { forOwner, readState, replaceFile, type FileState, type FileStates } from "./files.ts";
import { jsonFormat } from "./json-format.ts";
import { PartError, takeOut, type TextFormat, type WrittenPart } from "./parts.ts";
import { tomlFormat } from "./toml-format.ts";

export interface RecordedFile {
  path: string;
  former: FileState | null;
  /**
   * Digests of the whole text; also of the one that it replaced, for a setup anew that was cut
   * short.
   */
  digests: readonly string[];
  parts: readonly WrittenPart[];
}

export interface SetupRecord {
  files: readonly RecordedFile[];
  madeFolder: boolean;
}

const version = 1;

function recordPath(folder: string): string {
  return join(folder, "sluice-setup.json");
}

export function formatOf(path: string): TextFormat {
  if (basename(path) === ".env") return envFormat;
  return path.endsWith(".toml") ? tomlFormat : jsonFormat;
}

export function readRecord(folder: string): SetupRecord | null {
  const path = recordPath(folder);
  const state = readState(path);
  if (!state) return null;
  const value = parse(state.text);
  if (isRecord(value)) return value;
  throw new Error(`${path} is not a record of a setup: remove it to keep the settings as they are`);
}

export function writeRecord(folder: string, record: SetupRecord): void {
  const text = `${JSON.stringify({ version, ...record }, null, 2)}\n`;
  const path = recordPath(folder);
  if (readState(path)?.text !== text) replaceFile(path, { text, mode: forOwner });
}

export function removeRecord(folder: string, { madeFolder }: SetupRecord): void {
  rmSync(recordPath(folder), { force: true });
  if (!madeFolder) return;
  try {
    rmdirSync(folder);
  } catch {
    // The agent has put files of its own there.
  }
}

/** The files as they would be had nothing been set up. */
export function formerStates({ files }: SetupRecord, folder: string): FileStates {
  return new Map(files.map((file) => [file.path, formerOf(file, folder)]));
}

function formerOf(file: RecordedFile, folder: string): FileState | null {
  const { path, former, digests } = file;
  const now = readState(path);
  if (now?.text === former?.text || (now && digests.includes(digestOf(now.text)))) return former;
  if (!now && !former) return null;
  try {
    if (!now) throw new PartError("it was removed since");
    const format = formatOf(path);
    const text = takeOut(format, now.text, { former: former?.text ?? null, parts: file.parts });
    const isEmpty = text.trim() === "" || Object.keys(format.read(text)).length === 0;
    return isEmpty && !former ? null : { text, mode: former?.mode ?? now.mode };
  } catch (error) {
    if (!(error instanceof PartError)) throw error;
    throw new Error(
      `${path}: ${error.message}; nothing was changed. What was there before stands in ` +
        `${recordPath(folder)}: remove that file to keep the settings as they are`,
      { cause: error },
    );
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is SetupRecord {
  if (!isObject(value) || value["version"] !== version) return false;
  const { files, madeFolder } = value;
  return typeof madeFolder === "boolean" && Array.isArray(files) && files.every(isRecordedFile);
}

function isRecordedFile(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { path, former, digests, parts } = value;
  const isState = former === null || (isObject(former) && typeof former["text"] === "string");
  return typeof path === "string" && isState && Array.isArray(digests) && Array.isArray(parts);
}
