// Everything of a data folder that cannot be made again, of one moment, copied while the gateway
// runs.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { systemClock, systemTimers } from "../../core/clock.ts";
import { version } from "../../core/version.ts";
import { backupMarkFile } from "../../store/backup-mark.ts";
import { oldSecretFile } from "../../store/kept-secret.ts";
import { takeSnapshot } from "../../store/sqlite/snapshot.ts";
import { verifyBooks } from "../books/verify-books.ts";
import { isArchive, pack } from "./archive.ts";
import { BackupFault } from "./fault.ts";
import {
  copyMedia,
  copyPrivately,
  fileProof,
  manifestFile,
  mediaFolder,
  plainFiles,
  syncFolder,
  syncPath,
} from "./files.ts";

/** All that a backup has to know of the configuration. */
export interface BackupSource {
  dataFolder: string;
  usageDays: number;
  /** The secret is given from outside, so that no file of the folder has it. */
  isSecretGiven: boolean;
  hasBucket: boolean;
}

export function backupSourceOf({ dataFolder, retention, secret, media }: Config): BackupSource {
  return {
    dataFolder,
    usageDays: retention.usageDays,
    isSecretGiven: secret !== null,
    hasBucket: media.s3 !== null,
  };
}

export const takeSteps = ["databases", "files", "books", "archive"] as const;

export interface TakeOrder {
  source: BackupSource;
  target: string;
  withMedia: boolean;
}

type OnStep = (step: (typeof takeSteps)[number]) => void;

export async function takeBackup({ source, target, withMedia }: TakeOrder, onStep: OnStep) {
  const { dataFolder, usageDays } = source;
  if (existsSync(target)) throw new BackupFault(`${target} is already there: name another place`);
  // Beside its place, so that it appears there whole or not at all.
  const draft = `${resolve(target)}.partial-${process.pid}`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    const { manifest, notes } = await fill(draft, { source, withMedia, onStep });
    onStep("books");
    const asOf = { usageDays, nowMs: systemClock.nowMs() };
    const { rows, violations } = await verifyBooks(draft, asOf);
    onStep("archive");
    await finish(draft, target);
    writeFileSync(join(dataFolder, backupMarkFile), "", { mode: 0o600 });
    return {
      manifest,
      accounts: rows.accounts,
      entries: rows.entries,
      isGood: violations.length === 0,
      notes: [...notes, ...violations.map(({ invariant }) => `violated: ${invariant}`)],
    };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

interface FillOrder {
  source: BackupSource;
  withMedia: boolean;
  onStep: OnStep;
}

async function fill(draft: string, { source, withMedia, onStep }: FillOrder) {
  const { dataFolder, isSecretGiven, hasBucket } = source;
  onStep("databases");
  // A secret that goes in the meantime may be the one of rows in the snapshot.
  copyPrivately(join(dataFolder, oldSecretFile), join(draft, oldSecretFile));
  const snapshot = await takeSnapshot({ from: dataFolder, to: draft, timers: systemTimers });
  onStep("files");
  for (const name of plainFiles) copyPrivately(join(dataFolder, name), join(draft, name));
  const files: Record<string, { bytes: number; sha256: string }> = {};
  for (const name of readdirSync(draft)) files[name] = await fileProof(join(draft, name));
  // Behind the databases: what those name was there before.
  const media =
    withMedia && !hasBucket
      ? copyMedia(join(dataFolder, mediaFolder), join(draft, mediaFolder))
      : { files: 0, bytes: 0 };
  const { sequence, isLogWhole } = snapshot;
  const manifest = { version, created_at: systemClock.nowMs() / 1000, sequence, files, media };
  writeFileSync(join(draft, manifestFile), JSON.stringify(manifest, null, 2), { mode: 0o600 });
  const notes = [
    ...(isSecretGiven ? ["SLUICE_SECRET is not in it: keep it as well, elsewhere."] : []),
    ...(withMedia && hasBucket ? ["What is in the bucket is not in it."] : []),
    ...(isLogWhole ? [] : ["The usage log lacks records that it could not take."]),
  ];
  return { manifest, notes };
}

async function finish(draft: string, target: string): Promise<void> {
  syncFolder(draft);
  if (isArchive(target)) {
    const archive = `${draft}.tar.gz`;
    try {
      // There before tar writes it, which would make it for others to read.
      writeFileSync(archive, "", { mode: 0o600 });
      await pack(draft, archive);
      syncPath(archive);
      renameSync(archive, target);
    } finally {
      rmSync(archive, { force: true });
    }
  } else renameSync(draft, target);
  syncPath(dirname(resolve(target)));
}
