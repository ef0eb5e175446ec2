// sluice migrate: all rows of a gateway go from its data folder to PostgreSQL, or back.
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { checkSecret } from "../../admin/canary.ts";
import { sealOf } from "../../app/base.ts";
import type { Config } from "../../config/config.ts";
import {
  addJsonCommand,
  guard,
  printOne,
  readConfig,
  readSecret,
  type JsonOption,
} from "../command.ts";
import { ControlError } from "../control-client.ts";
import { wholeOption } from "../readers.ts";
import { assertData } from "../gateway-place.ts";
import type { Terminal } from "../terminal.ts";
import { databasePlace, toPlace, type MoveEnd, type MovePlace } from "./place.ts";
import { findSealed } from "./queries.ts";
import { moveRows, type MoveReport } from "./run.ts";

interface MigrateOptions extends JsonOption {
  to: string;
  batch: number;
  unverified?: true;
}

const rowsAtOnce = 1000;

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  addJsonCommand(program, "migrate", {
    description: "move all rows between a data folder and PostgreSQL, while nothing runs on them",
    examples: [
      "sluice migrate --to postgres://sluice:password@db.example.com/sluice",
      "sluice migrate --to - < database-url.txt",
      "SLUICE_DATABASE_URL=postgres://... sluice migrate --to /srv/sluice",
    ],
  })
    .requiredOption(
      "--to <place>",
      "an empty database as postgres://..., or a data folder without rows; - reads it",
    )
    .option("--batch <rows>", "so many rows are written at once", wholeOption, rowsAtOnce)
    .option("--unverified", "also when the books of the source do not agree")
    .action((options: MigrateOptions) => guard(terminal, () => migrateTo(terminal, options)));
}

async function migrateTo(terminal: Terminal, options: MigrateOptions): Promise<void> {
  const config = await readConfig(terminal);
  const from = sourceOf(config);
  const to = toPlace(await readSecret(terminal, options.to));
  if (from.kind === to.kind) {
    throw new ControlError(
      from.kind === "folder"
        ? "the rows are in a data folder: --to names a database. sluice backup copies folders"
        : "the rows are in PostgreSQL: --to names a data folder. pg_dump copies databases",
    );
  }
  if (options.batch < 1) throw new ControlError("--batch is at least 1");
  const report = await moveRows({
    from,
    to,
    rowsMax: options.batch,
    usageDays: config.retention.usageDays,
    isUnverified: options.unverified === true,
    proveSecret: (source) => proveSecret(config, source),
    tell: (line) => terminal.writeError(`${line}\n`),
  });
  const notes = report.isDone ? [] : notesOf(config, to);
  const text = [headline(report, to), ...notes].join("\n");
  const { isDone, ...counts } = report;
  const shown = { ok: true, moved: !isDone, from: from.shown, to: to.shown, notes, ...counts };
  printOne(terminal, shown, text, options);
}

function sourceOf({ databaseUrl, dataFolder }: Config): MovePlace {
  if (databaseUrl !== null) return databasePlace(databaseUrl);
  assertData(dataFolder);
  const folder = resolve(dataFolder);
  return { kind: "folder", folder, shown: folder };
}

/** Sealed values stay so, and are of no use where another secret is set. */
async function proveSecret(config: Config, source: MoveEnd): Promise<void> {
  const seal = sealOf(config);
  const key = await findSealed(source.database);
  try {
    if (key) seal.open(key.sealed, key.channel_id);
  } catch {
    throw new ControlError(
      "the upstreams' keys are sealed with another secret: set the SLUICE_SECRET that the " +
        "gateway runs with, or leave it out where it has none",
    );
  }
  await checkSecret({ database: source.database, seal }, { isShared: true, isLost: false });
}

function headline({ isDone, accounts, entries, tables }: MoveReport, { shown }: MovePlace): string {
  if (isDone) return `everything was moved to ${shown} before: nothing was changed`;
  const logged = tables.find(({ name }) => name === "usage_log")?.rows ?? 0;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const parts = `${accounts} accounts, ${entries} entries, ${logged} requests of the log`;
  return `moved ${parts}, ${rows} rows in all, to ${shown}`;
}

function notesOf({ secret, dataFolder, media }: Config, to: MovePlace): string[] {
  const folder = resolve(dataFolder);
  const kept = secret === null ? `, which is the text of ${join(folder, "secret")}` : " as it is";
  const next =
    to.kind === "database"
      ? `Start it with SLUICE_DATABASE_URL, and SLUICE_SECRET${kept}.`
      : "Start it on that folder without SLUICE_DATABASE_URL, and keep SLUICE_SECRET as it is.";
  const results = `Results are files and stay where they are: in the folder media of ${folder}.`;
  return media.s3 === null ? [next, results] : [next];
}
