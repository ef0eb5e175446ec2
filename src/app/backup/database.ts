// Backup and restore of a gateway's rows in PostgreSQL, by PostgreSQL's own tools, which copy them
// of one moment while the nodes run.
import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { mediaFolder } from "./files.ts";

export function howToBackUp({ media, dataFolder }: Config, target: string): string {
  const { s3, sharedFolder } = media;
  const results =
    s3 === null
      ? `the folder ${sharedFolder ?? join(resolve(dataFolder), mediaFolder)}`
      : `the bucket ${s3.bucket}`;
  return [
    "the rows are in PostgreSQL, whose own tools copy them, of one moment, while the nodes run:",
    `  pg_dump --format=custom --schema=sluice --schema=sluice_log --file=${target} ` +
      '"$SLUICE_DATABASE_URL"',
    `Keep with it SLUICE_SECRET, the configuration file and the results, which are in ${results}.`,
    "For one that must come back to any moment: a base backup with its log (docs/cluster.md).",
  ].join("\n");
}

export function howToRestore(source: string): string {
  return [
    "the rows are to be in PostgreSQL, whose own tools restore them, into an empty database and " +
      "with all nodes stopped:",
    `  pg_restore --no-owner --dbname="$SLUICE_DATABASE_URL" ${source}`,
    "Then: sluice ledger verify. A backup of a data folder becomes a data folder: restore it " +
      "without SLUICE_DATABASE_URL, and sluice migrate moves its rows.",
  ].join("\n");
}
