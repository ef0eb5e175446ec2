// Backups of the gateway by the gateway: taken, kept, restored to a folder of their own.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { noteAlone } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { toSeconds } from "../input.ts";
import { toProgressView } from "../progress.ts";
import {
  backupName,
  type BackupCalls,
  type BackupsView,
  type BackupView,
  type BackupWorkView,
} from "./contract.ts";
import type { BackupFile, BackupNeeds, Backups, BackupWork } from "./needs.ts";

/** A folder that only grows would fill the disk of the books. */
const keptMax = 30;

export async function listBackups({ backups }: BackupNeeds): Promise<BackupsView> {
  const lastAtMs = backups.lastAtMs();
  return {
    folder: backups.folder,
    elsewhere: backups.elsewhere,
    last_at: lastAtMs === null ? null : toSeconds(lastAtMs),
    upload_bytes_max: backups.uploadBytesMax(),
    items: backups.list().map(toView),
    work: backups.work && toWorkView(backups.work),
  };
}

export async function startBackup(
  { people, backups }: BackupNeeds,
  operator: Operator,
  { body: { media } }: InputOf<BackupCalls["take"]>,
): Promise<BackupWorkView> {
  assertRoom(backups);
  const work = backups.take(media);
  await noteAlone(people, operator, {
    action: "backup.take",
    target: work.name,
    changes: { media },
  });
  return toWorkView(work);
}

export async function startRestore(
  { people, backups }: BackupNeeds,
  operator: Operator,
  { name, body: { folder } }: InputOf<BackupCalls["restore"]>,
): Promise<BackupWorkView> {
  assertHere(backups);
  existingBackup(backups, name);
  const work = backups.restore(name, folder);
  await noteAlone(people, operator, {
    action: "backup.restore",
    target: name,
    changes: { folder },
  });
  return toWorkView(work);
}

export async function uploadBackup(
  { people, backups }: BackupNeeds,
  operator: Operator,
  { query: { name }, pieces }: InputOf<BackupCalls["upload"]>,
): Promise<BackupView> {
  const items = assertRoom(backups);
  if (items.some((one) => one.name === name)) {
    throw new GatewayError("conflict", { param: "name", message: `${name} is already there.` });
  }
  const file = await backups.keep(name, pieces(backups.uploadBytesMax()));
  await noteAlone(people, operator, {
    action: "backup.upload",
    target: name,
    changes: { bytes: file.bytes },
  });
  return toView(file);
}

export async function removeBackup(
  { people, backups }: BackupNeeds,
  operator: Operator,
  { name }: InputOf<BackupCalls["remove"]>,
): Promise<{ id: string }> {
  existingBackup(backups, name);
  await backups.remove(name);
  await noteAlone(people, operator, { action: "backup.remove", target: name });
  return { id: name };
}

export function existingBackup(backups: Backups, name: string): BackupFile {
  const items = backupName.test(name) ? backups.list() : [];
  const file = items.find((one) => one.name === name);
  if (!file) {
    throw new GatewayError("not_found", { message: `There is no backup ${JSON.stringify(name)}.` });
  }
  return file;
}

function assertHere({ elsewhere }: Backups): void {
  if (elsewhere !== null) throw new GatewayError("conflict", { message: elsewhere });
}

function assertRoom(backups: Backups): readonly BackupFile[] {
  assertHere(backups);
  const items = backups.list();
  if (items.length < keptMax) return items;
  const message = `There are ${keptMax} backups in ${backups.folder}: delete one first.`;
  throw new GatewayError("conflict", { message });
}

function toView({ name, bytes, atMs }: BackupFile): BackupView {
  return { name, bytes, created_at: toSeconds(atMs) };
}

function toWorkView(work: BackupWork): BackupWorkView {
  const { result } = work;
  return {
    ...toProgressView(work),
    kind: work.kind,
    backup: work.name,
    result: result && {
      accounts: result.accounts,
      entries: result.entries,
      media_files: result.mediaFiles,
      bytes: result.bytes,
      folder: result.folder,
      command: result.command,
      notes: [...result.notes],
    },
  };
}
