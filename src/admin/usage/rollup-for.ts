// The sums that answer a question, or the 400 that says why none do.
import { invalid } from "../../core/errors.ts";
import { chooseRollup, type SumFilter } from "../../observe/rollup/queries.ts";
import type { Dimension, Rollup } from "../../observe/rollup/rollup.ts";

export function rollupFor(filter: SumFilter, by: readonly Dimension[]): Rollup {
  const name = chooseRollup(filter, by);
  if (name !== null) return name;
  if (filter.label !== undefined || by.includes("label")) {
    throw invalid("label", "cannot be combined with a model, a key or a channel");
  }
  throw invalid("channel", "cannot be combined with an account or a key");
}
