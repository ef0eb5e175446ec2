// Needs of taking backups and of restoring them. The work itself is the gateway's own.
import type { WorkProgress } from "../progress.ts";
import type { SignInNeeds } from "../session/needs.ts";
import type { BackupStep } from "./contract.ts";

export interface BackupFile {
  name: string;
  bytes: number;
  atMs: number;
}

export interface BackupResult {
  accounts: number;
  entries: number;
  mediaFiles: number | null;
  bytes: number | null;
  folder: string | null;
  command: string | null;
  notes: readonly string[];
}

/** A backup that is being taken or restored, or was. */
export type BackupWork = WorkProgress<"take" | "restore", BackupStep, BackupResult>;

export interface Backups {
  readonly folder: string;
  /** Words on how else it is done, where the rows are not in the data folder; null otherwise. */
  readonly elsewhere: string | null;
  readonly work: BackupWork | null;
  lastAtMs(): number | null;
  list(): readonly BackupFile[];
  /** Bytes for which there is room. */
  uploadBytesMax(): number;
  take(withMedia: boolean): BackupWork;
  restore(name: string, folder: string): BackupWork;
  /** Keeps an archive as it comes, whole or not at all. */
  keep(name: string, pieces: AsyncIterable<Uint8Array>): Promise<BackupFile>;
  remove(name: string): Promise<void>;
  /** Null where there is none by this name. */
  open(name: string): { bytes: number; pieces: AsyncIterable<Uint8Array> } | null;
}

export interface BackupNeeds {
  people: SignInNeeds;
  backups: Backups;
}
