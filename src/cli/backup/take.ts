// sluice backup: the data folder as it is at one moment, while the gateway runs or is stopped.
import type { Command } from "commander";
import { howToBackUp } from "../../app/backup/database.ts";
import { backupSourceOf, takeBackup } from "../../app/backup/take.ts";
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
  const order = { source: backupSourceOf(config), target, withMedia: options.media };
  const { manifest, accounts, entries, isGood, notes } = await takeBackup(order, () => {});
  const counts = `${accounts} accounts, ${entries} entries`;
  const text = `backed up ${counts} and ${manifest.media.files} media files to ${target}`;
  const result = { ok: isGood, target, ...manifest, accounts, entries, notes };
  printOne(terminal, result, [text, ...notes].join("\n"), options);
  if (!isGood) terminal.fail();
}
