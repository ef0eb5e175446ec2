// What most views of the control plane are made of.
import type { Rates } from "../../../admin/contract.ts";
import { Type, type TSchema } from "../../../core/schema.ts";
import { orNull, shapeOf, text, whole, word, type Parameter } from "../operation.ts";

export const status = word("enabled", "disabled");
export const role = word("user", "admin", "root");
export const moment = whole("Unix seconds.");
export const money = whole("Millionths of a US dollar.");
export const rateFields = {
  requests_per_minute: orNull(Type.Number()),
  tokens_per_minute: orNull(Type.Number()),
  concurrency: orNull(Type.Number()),
};
export const rates = shapeOf<Rates>()(Type.Object(rateFields));

export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object(listFields(item));
}

export function listFields<Item extends TSchema>(item: Item) {
  return { items: Type.Array(item), total: whole(), page: whole(), page_size: whole() };
}

export const pages: Readonly<Record<string, Parameter>> = {
  p: { schema: Type.Integer({ minimum: 1, default: 1 }), description: "The page." },
  page_size: { schema: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) },
};

/** Of what was removed, by its id. */
export const removed = Type.Object({ id: text() });
export const nothing = Type.Null();
