// sluice backup: everything of a data folder that cannot be made again, of one moment, taken while
// the gateway runs.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import type { Config } from "../../config/config.ts";
import { systemClock, systemTimers } from "../../core/clock.ts";
import { version } from "../../core/version.ts";
import { backupMarkFile } from "../../store/backup-mark.ts";
import { takeSnapshot } from "../../store/sqlite/snapshot.ts";
import { isArchive, pack } from "./archive.ts";
import { howToBackUp } from "./database.ts";
import {
  copyMedia,
  copyPrivately,
  manifestFile,
  mediaFolder,
  plainFiles,
  fileProof,
  syncFolder,
  syncPath,
} from "./files.ts";
import { verifyBooks } from "../../app/books/verify-books.ts";
import { addJsonCommand, guard, printOne, readConfig, type JsonOption } from "../command.ts";
import { ControlError } from "../control-client.ts";
import { assertData } from "../gateway-place.ts";
import type { Terminal } from "../terminal.ts";

interface BackupOptions extends JsonOption {
  media: boolean;
}

export function addBackupCommand(program: Command, terminal: Terminal): void {
  addJsonCommand(program, "backup", {
    description: "copy the data folder, as it is at one moment, while the gateway runs",
    examples: [
      "sluice backup /backups/sluice-monday",
      "sluice backup /backups/sluice-monday.tar.gz --no-media",
    ],
  })
    .argument("<target>", "a folder that is not there yet, or a file that ends in .tar.gz")
    .option("--no-media", "leave results and registered files out")
    .action((target: string, options: BackupOptions) =>
      guard(terminal, () => backUp(terminal, target, options)),
    );
}

async function backUp(terminal: Terminal, target: string, options: BackupOptions): Promise<void> {
  const config = await readConfig(terminal);
  if (config.databaseUrl !== null) throw new ControlError(howToBackUp(config, target));
  assertData(config.dataFolder);
  if (existsSync(target)) throw new ControlError(`${target} is already there: name another place`);
  // Beside its place, so that it appears there whole or not at all.
  const draft = `${resolve(target)}.partial-${process.pid}`;
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    const manifest = await fill(draft, config, options.media);
    const books = await verifyBooks(draft, asOf(config));
    await finish(draft, target);
    writeFileSync(join(config.dataFolder, backupMarkFile), "", { mode: 0o600 });
    const { rows, violations } = books;
    const { accounts, entries } = rows;
    const ok = violations.length === 0;
    const counts = `${accounts} accounts, ${entries} entries`;
    const text = `backed up ${counts} and ${manifest.media.files} media files to ${target}`;
    const notes = [
      ...manifest.notes,
      ...violations.map(({ invariant }) => `violated: ${invariant}`),
    ];
    const result = { ok, target, ...manifest, accounts, entries, notes };
    printOne(terminal, result, [text, ...notes].join("\n"), options);
    if (!ok) terminal.fail();
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function asOf({ retention }: Config) {
  return { usageDays: retention.usageDays, nowMs: systemClock.nowMs() };
}

async function fill(draft: string, config: Config, withMedia: boolean) {
  const { dataFolder, media: rules, secret } = config;
  const snapshot = await takeSnapshot({ from: dataFolder, to: draft, timers: systemTimers });
  for (const name of plainFiles) copyPrivately(join(dataFolder, name), join(draft, name));
  const files: Record<string, { bytes: number; sha256: string }> = {};
  for (const name of readdirSync(draft)) files[name] = await fileProof(join(draft, name));
  // Behind the databases: what those name was there before.
  const hasMedia = withMedia && rules.s3 === null;
  const media = hasMedia
    ? copyMedia(join(dataFolder, mediaFolder), join(draft, mediaFolder))
    : { files: 0, bytes: 0 };
  const { sequence, isLogWhole } = snapshot;
  const manifest = { version, created_at: systemClock.nowMs() / 1000, sequence, files, media };
  writeFileSync(join(draft, manifestFile), JSON.stringify(manifest, null, 2), { mode: 0o600 });
  const notes = [
    ...(secret === null ? [] : ["SLUICE_SECRET is not in it: keep it as well, elsewhere."]),
    ...(withMedia && rules.s3 !== null ? ["What is in the bucket is not in it."] : []),
    ...(isLogWhole ? [] : ["The usage log lacks records that it could not take."]),
  ];
  return { ...manifest, notes };
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
