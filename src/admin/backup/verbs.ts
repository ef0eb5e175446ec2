// Backups: each call with its function.
import { bind } from "../bind.ts";
import { listBackups, removeBackup, startBackup, startRestore, uploadBackup } from "./backups.ts";
import { backupCalls } from "./contract.ts";

export const backupVerbs = bind(backupCalls, {
  list: listBackups,
  take: startBackup,
  upload: uploadBackup,
  restore: startRestore,
  remove: removeBackup,
});
