// sluice restore: a backup becomes the data folder, which must be empty or missing.
import { resolve } from "node:path";
import type { Command } from "commander";
import { howToRestore } from "../../app/backup/database.ts";
import { restoreBackup } from "../../app/backup/restore.ts";
import { addJsonCommand, guard, printOne, readConfig, type JsonOption } from "../command.ts";
import { ControlError } from "../control-client.ts";
import type { Terminal } from "../terminal.ts";

interface RestoreOptions extends JsonOption {
  unverified?: true;
}

export function addRestoreCommand(program: Command, terminal: Terminal): void {
  addJsonCommand(program, "restore", {
    description: "make a data folder of a backup, and prove it as ledger verify does",
    examples: [
      "sluice restore /backups/sluice-monday.tar.gz",
      "sluice restore /backups/sluice-monday --data /srv/sluice",
    ],
  })
    .argument("<backup>", "the folder or archive that sluice backup made")
    .option("--unverified", "keep it also when its books do not agree")
    .action((source: string, options: RestoreOptions) =>
      guard(terminal, () => restore(terminal, source, options)),
    );
}

async function restore(terminal: Terminal, backup: string, options: RestoreOptions): Promise<void> {
  const { databaseUrl, dataFolder, retention } = await readConfig(terminal);
  if (databaseUrl !== null) throw new ControlError(howToRestore(backup));
  const order = {
    backup,
    folder: resolve(dataFolder),
    usageDays: retention.usageDays,
    isUnverified: options.unverified === true,
  };
  const restored = await restoreBackup(order, () => {});
  const { ok, folder, accounts, entries, violations } = restored;
  const text = `ok: ${accounts} accounts, ${entries} entries in ${folder}`;
  printOne(terminal, restored, ok ? text : violations.join("\n"), options);
  if (!ok) terminal.fail();
}
