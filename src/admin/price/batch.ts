// Many prices at once: what would change, and with the same words the change itself.
import type { PriceInput } from "../../config/entities.ts";
import { invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { removeOfPrice, readPrices, writeOfPrice } from "../../quota/queries.ts";
import { toStatement } from "../../store/database.ts";
import type { PriceTable } from "../../store/price-tables.ts";
import { brief, changesOf } from "../audit/changes.ts";
import { entryQuery, type Note } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { PriceBatch, PriceBatchRow, PriceCalls } from "./contract.ts";
import type { PriceNeeds } from "./needs.ts";

/** All of it in one commit or nothing, with an entry in the audit log for each price. */
export async function setPrices(
  needs: PriceNeeds,
  operator: Operator,
  { body }: InputOf<PriceCalls["batch"]>,
): Promise<PriceBatch> {
  const { dry_run: isDry = false, prices: inputs, remove = [] } = body;
  assertOnce([...inputs.map(({ model }) => model), ...remove]);
  return await exclusively(needs, "prices", async () => {
    const own = new Map((await readPrices(needs.database)).map((row) => [row.model, row]));
    const rows = [
      ...inputs.map((input) => compare(needs, input, own.get(input.model))),
      ...remove.map((model) => compareRemoved(model, own.get(model))),
    ];
    if (!isDry) await apply(needs, operator, rows, own);
    return { applied: !isDry, changes: rows };
  });
}

function assertOnce(models: readonly string[]): void {
  const seen = new Set<string>();
  for (const model of models) {
    if (seen.has(model)) throw invalid("prices", `has ${model} more than once`);
    seen.add(model);
  }
}

function compare(
  { catalogue }: PriceNeeds,
  after: PriceInput,
  before: PriceTable | undefined,
): PriceBatchRow {
  const { model } = after;
  const own: PriceInput | null = before ? JSON.parse(before.document) : null;
  const isSame = own !== null && JSON.stringify(own) === JSON.stringify(after);
  const isKnown = [...catalogue.all()].some(({ id }) => id === model);
  const kind = isSame ? "same" : own ? "changed" : isKnown ? "replaces_catalogue" : "new";
  return { model, kind, declared: before?.declared === 1, before: own, after };
}

function compareRemoved(model: string, before: PriceTable | undefined): PriceBatchRow {
  const own: PriceInput | null = before ? JSON.parse(before.document) : null;
  const kind = before ? "removed" : "same";
  return { model, kind, declared: before?.declared === 1, before: own, after: null };
}

async function apply(
  needs: PriceNeeds,
  operator: Operator,
  rows: readonly PriceBatchRow[],
  own: ReadonlyMap<string, PriceTable>,
): Promise<void> {
  const { database, store } = needs;
  const queries = rows
    .filter(({ kind }) => kind !== "same")
    .flatMap(({ model, before, after }) => {
      const note: Note = after
        ? { action: "price.write", target: model, changes: changesOf(before, after) }
        : { action: "price.remove", target: model, changes: brief(before ?? {}) };
      const declared = own.get(model)?.declared ?? 0;
      const change = after
        ? writeOfPrice(database, { model, document: JSON.stringify(after), declared })
        : removeOfPrice(database, model);
      return [change, entryQuery(needs, operator, note)];
    });
  if (queries.length === 0) return;
  await store.commit({ statements: queries.map((query) => toStatement(query.compile())) });
  await needs.reload.prices();
}
