// Migrations are lists of statements for an engine; each version is applied in one transaction
// together with its number, so an interrupted start resumes where it was.

/** The words in which the engines differ. */
export interface SqlDialect {
  integer: string;
  /** Several processes may share the database. */
  isShared?: boolean;
  table(name: string, columns: readonly string[]): string;
  /** A table kept in the order of its text key, without a second copy of the key. */
  keyedTable(name: string, columns: readonly string[]): string;
  /** A table whose rows have a `place`, which counts them in the order they were written in. */
  numberedTable(name: string, columns: readonly string[]): string;
  /** Statements that make a table's rows impossible to change or delete. */
  frozen(table: string): string[];
  /** Let these columns of such a table be emptied, as each says, and nothing else of a row. */
  thawed(
    table: string,
    kept: readonly string[],
    emptied: Readonly<Record<string, string>>,
  ): string[];
}

export type Migration = (dialect: SqlDialect) => string[];

export interface MigrationTarget {
  version(): number;
  /** Runs the statements and records the version, all or nothing. */
  apply(version: number, statements: readonly string[]): void;
}

export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export function migrate(target: MigrationTarget, versions: readonly (readonly string[])[]): void {
  const from = target.version();
  if (from > versions.length) throw tooNew(from, versions.length, "the data folder");
  for (let version = from + 1; version <= versions.length; version++) {
    target.apply(version, versions[version - 1] ?? []);
  }
}

export function tooNew(version: number, known: number, place: string): MigrationError {
  return new MigrationError(
    `the database has version ${version}, but this program knows only ${known}: ` +
      `start the newer program again or restore an older copy of ${place}`,
  );
}
