// The lines of an export.
import type { Seal } from "../../core/seal.ts";
import { logKinds, mainKinds, type ExportKind } from "./kinds.ts";
import type { ExportRow, ExportTables } from "./queries.ts";

const formatVersion = 1;

interface ExportAsk {
  main: ExportTables;
  /** Null where it was deleted. */
  log: ExportTables | null;
  nowMs: number;
  /** Null: no secrets. */
  seal: Seal | null;
}

export async function* exportLines(ask: ExportAsk): AsyncGenerator<string> {
  const { main, log, nowMs, seal } = ask;
  const at = new Date(nowMs).toISOString();
  const schema = await main.version();
  yield toLine("export", { version: formatVersion, at, schema, secrets: seal !== null });
  const counts: Record<string, number> = {};
  yield* linesOf(main, mainKinds, { seal, counts });
  const sums = await main.balances();
  if (log) yield* linesOf(log, logKinds, { seal, counts });
  yield toLine("end", { rows: counts, ...sums });
}

interface Ways {
  seal: Seal | null;
  counts: Record<string, number>;
}

async function* linesOf(
  tables: ExportTables,
  kinds: readonly ExportKind[],
  { seal, counts }: Ways,
): AsyncGenerator<string> {
  for (const kind of kinds) {
    counts[kind.kind] = 0;
    for await (const row of tables.rows(kind.table)) {
      counts[kind.kind] = (counts[kind.kind] ?? 0) + 1;
      yield toLine(kind.kind, toFields(row, kind, seal));
    }
  }
}

function toFields(row: ExportRow, kind: ExportKind, seal: Seal | null): ExportRow {
  const { json = [], secret = [], sealed = [] } = kind;
  const isClosed = (name: string) => sealed.some(({ column }) => column === name);
  const fields = Object.entries(row)
    .filter(([name]) => !isClosed(name) && (seal !== null || !secret.includes(name)))
    .map(([name, value]) => [name, json.includes(name) ? readJson(value) : value] as const);
  if (seal === null) return Object.fromEntries(fields);
  const opened = sealed.map(({ column, as, open }) => {
    const text = row[column];
    const read = () => (typeof text === "string" ? open(seal, text, row) : null);
    return [as, orNull(read)] as const;
  });
  return Object.fromEntries([...fields, ...opened]);
}

/** Values sealed by another secret stay closed. */
function orNull(open: () => unknown): unknown {
  try {
    return open();
  } catch {
    return null;
  }
}

/** A text that is none after all comes as it is. */
function readJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** No table has a column of that name but where it says what kind of row it is. */
function toLine(kind: string, fields: ExportRow): string {
  return `${JSON.stringify({ ...fields, line: kind })}\n`;
}
