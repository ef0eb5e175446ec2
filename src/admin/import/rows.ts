// The way of every row that is imported: known by its id over there, or made with the entry of the
// audit log and the note of where it came from, or refused for a reason. A batch is one commit.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { commitTogether } from "../../store/database.ts";
import { entryQuery, type Note } from "../audit/entry.ts";
import type { ImportBy, ImportNeeds, ImportOutcome, ImportQuery } from "./needs.ts";
import { insertOfImported, readImported } from "./queries.ts";

interface Made {
  id: string;
  queries: readonly ImportQuery[];
  action: Note["action"];
  /** Never a secret. */
  changes: JsonObject;
}

interface RowsOf {
  kind: string;
  rows: readonly JsonObject[];
  /** The field that a row is known by. */
  refField: string;
  /** Throws what is to be said of a row that cannot come. */
  make(row: JsonObject): Promise<Made>;
}

interface Written {
  outcomes: ImportOutcome[];
  /** Our ids, by theirs, of all that are here now. */
  ids: Map<string, string>;
  made: string[];
}

export async function writeRows(
  needs: ImportNeeds,
  { operator, source }: ImportBy,
  { kind, rows, refField, make }: RowsOf,
): Promise<Written> {
  const ids = await readImported(needs.database, source, kind);
  const outcomes: ImportOutcome[] = [];
  const queries: ImportQuery[] = [];
  const madeIds: string[] = [];
  const at_ms = needs.clock.nowMs();
  for (const row of rows) {
    const ref = String(row[refField] ?? "");
    if (ids.has(ref)) {
      outcomes.push({ kind, ref, outcome: "known", reason: "" });
      continue;
    }
    try {
      const { id, action, changes, queries: own } = await make(row);
      const note = { action, target: id, changes: { ...changes, imported: `${source} ${ref}` } };
      const origin = insertOfImported(needs.database, { source, kind, ref, id, at_ms });
      queries.push(...own, origin, entryQuery(needs, operator, note));
      ids.set(ref, id);
      madeIds.push(id);
      outcomes.push({ kind, ref, outcome: "made", reason: "" });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      outcomes.push({ kind, ref, outcome: "refused", reason: error.message });
    }
  }
  if (queries.length > 0) await commitTogether(needs.store, queries);
  return { outcomes, ids, made: madeIds };
}

/** Our id of a row that must have come before. */
export function comeOf(ids: ReadonlyMap<string, string>, ref: string): string {
  const id = ids.get(ref);
  if (id === undefined) throw refused(`What it belongs to has not come: ${ref}.`);
  return id;
}

/** For what cannot come. */
export function refused(message: string): GatewayError {
  return new GatewayError("conflict", { message });
}
