// sluice restore: a backup becomes a data folder, once its books were found to agree.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { unfinishedRestore } from "../../app/folder/unfinished-restore.ts";
import { isArchive, unpack } from "./archive.ts";
import { howToRestore } from "./database.ts";
import { asOf } from "./take.ts";
import { checkFiles, restoredNames, syncFolder } from "./files.ts";
import { verifyBooks } from "../../app/books/verify-books.ts";
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

async function restore(terminal: Terminal, source: string, options: RestoreOptions): Promise<void> {
  const config = await readConfig(terminal);
  if (config.databaseUrl !== null) throw new ControlError(howToRestore(source));
  const folder = resolve(config.dataFolder);
  const isNew = !existsSync(folder);
  assertEmpty(folder);
  if (!existsSync(source)) throw new ControlError(`there is no backup at ${source}`);
  const draft = join(folder, unfinishedRestore);
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    await bring(source, draft);
    await checkFiles(draft);
    const { rows, violations } = await verifyBooks(draft, asOf(config));
    const { accounts, entries } = rows;
    const ok = violations.length === 0;
    const wrong = violations.map(({ invariant, row }) => `violated: ${invariant}: ${row}`);
    if (!ok && !options.unverified) throw new ControlError(`${wrong.join("\n")}\nnot restored`);
    moveUp(draft, folder);
    const text = `ok: ${accounts} accounts, ${entries} entries in ${folder}`;
    const shown = { ok, folder, accounts, entries, violations: wrong };
    printOne(terminal, shown, ok ? text : wrong.join("\n"), options);
    if (!ok) terminal.fail();
  } catch (error) {
    rmSync(isNew ? folder : draft, { recursive: true, force: true });
    throw error;
  }
}

function assertEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  throw new ControlError(
    `${folder} is not empty: a backup is restored into a folder of its own. ` +
      "Name another one with --data, or move what is there away",
  );
}

async function bring(source: string, draft: string): Promise<void> {
  if (isArchive(source)) return await unpack(source, draft);
  if (!statSync(source).isDirectory()) {
    throw new ControlError("a backup is a folder, or a file that ends in .tar.gz");
  }
  cpSync(source, draft, { recursive: true });
}

/** Until the last is moved, no gateway starts on the folder. */
function moveUp(draft: string, folder: string): void {
  syncFolder(draft);
  for (const name of restoredNames) {
    if (existsSync(join(draft, name))) renameSync(join(draft, name), join(folder, name));
  }
  rmSync(draft, { recursive: true, force: true });
  syncFolder(folder);
}
