// What most shapes of the control plane's wire are made of.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static, type TSchema } from "../../core/schema.ts";

export const statusSchema = word("enabled", "disabled");
export type Status = Static<typeof statusSchema>;

export const roleSchema = word("user", "admin", "root");

export const momentSchema = whole("Unix seconds.");
export const moneySchema = whole("Millionths of a US dollar.");

/** Control characters other than line breaks and tabs, which no plain text has. */
const isPlain = (text: string) => !/[^\P{Cc}\n\t]/u.test(text);
const hasWords = (text: string) => text.trim() !== "";

export function plainTextSchema(maxLength: number, description: string) {
  const text = Type.String({ minLength: 1, maxLength, description });
  const isGood = (value: string) => isPlain(value) && hasWords(value);
  return Type.Refine(text, isGood, () => "must be plain text with words in it");
}

/** Null: no limit. */
export const rateFields = {
  requests_per_minute: orNull(Type.Number()),
  tokens_per_minute: orNull(Type.Number()),
  concurrency: orNull(Type.Number()),
};

export function listFields<Item extends TSchema>(item: Item) {
  return { items: Type.Array(item), total: whole(), page: whole(), page_size: whole() };
}

/** How long a page is unless it is said, and how long it may be. */
interface PageSizes {
  usual: number;
  most: number;
}

export const usualPages: PageSizes = { usual: 20, most: 100 };
/** The last page there can be, whatever its size. */
export const pageNumberMax = 1_000_000;

export function pagesOf({ usual, most }: PageSizes): QueryEntry {
  const number = Type.Integer({ minimum: 1, maximum: pageNumberMax, default: 1 });
  return {
    p: { schema: number, description: "The page." },
    page_size: { schema: Type.Integer({ minimum: 1, maximum: most, default: usual }) },
  };
}

export const pages = pagesOf(usualPages);

/** A stretch of time. */
export const span: QueryEntry = {
  from: { schema: text(), description: "Unix seconds, or a day." },
  to: { schema: text(), description: "The first moment after." },
};

/** Of what was removed, by its id. */
export const removed = Type.Object({ id: text() });
export const nothing = Type.Null();
