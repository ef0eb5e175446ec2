// A virtual model between the wire and its row.
import { reasonsDefault, type VirtualModelInput } from "../../config/virtual-model.ts";
import type { VirtualModelRow } from "../../distribution/queries.ts";
import type { VirtualModelView } from "./contract.ts";

export function toRow(input: VirtualModelInput, declared: 0 | 1): VirtualModelRow {
  return { name: input.name, document: JSON.stringify(input), declared };
}

/** Only what passed the schema is ever written. */
export function toInput({ document }: VirtualModelRow): VirtualModelInput {
  return JSON.parse(document);
}

export function toView(
  row: VirtualModelRow,
  isServed: (model: string) => boolean,
): VirtualModelView {
  const input = toInput(row);
  return {
    name: input.name,
    members: input.members.map(({ model, weight, when, window_tokens }) => ({
      model,
      weight: weight ?? null,
      when: when ?? [...reasonsDefault],
      window_tokens: window_tokens ?? null,
      served: isServed(model),
    })),
    price: input.price ?? "served",
    reply_model: input.reply_model ?? null,
    prefer: input.prefer ?? null,
    hidden: input.hidden === true,
    groups: input.groups ?? null,
    declared: row.declared === 1,
  };
}
