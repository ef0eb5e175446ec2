// Search of lists: the beginning of a name, and words of which only some are known.
import type { QueryEntry } from "../core/reference-entry.ts";
import { text, word } from "../core/schema-words.ts";
import { Type } from "../core/schema.ts";

const prefixCharactersMax = 64;

/** The beginning of a name or of a title. */
export function byPrefix(description: string) {
  const isShort = (prefix: string) => prefix.length <= prefixCharactersMax;
  const fault = `must have at most ${prefixCharactersMax} characters`;
  return { q: { schema: Type.Refine(text(), isShort, () => fault), description } };
}

export const byName = byPrefix("How the name begins, in any capitals.");
export const byGroup = { group: { schema: text(), description: "Of this group." } };
export const byAccount = { account: { schema: text(), description: "By user name or id." } };
export const byKey = { key: { schema: text(), description: "By id or name." } };
export const byLabel = { label: { schema: text(), description: "With this label only." } };
/** Filters that only admins have. */
export const ofOthers = {
  ...byAccount,
  channel: { schema: text(), description: "By name or id." },
};
export const byStatus = { status: { schema: word("enabled", "disabled") } };

interface Sort<Field extends string> {
  field: Field;
  isDown: boolean;
}

export function bySort<Field extends string>(fields: readonly Field[]) {
  const both = fields.flatMap((field) => [field, `-${field}` as const]);
  const description = "What is listed first: by this field, with `-` before it from the highest.";
  return { sort: { schema: word(...both), description } } satisfies QueryEntry;
}

/** Order of a parsed `sort`. */
export function toOrder<Field extends string>(sort: Field | `-${Field}`): Sort<Field> {
  const isDown = sort.startsWith("-");
  return { field: (isDown ? sort.slice(1) : sort) as Field, isDown };
}

/** For lists that are read as a whole: names in any capitals, equals in the order they have. */
export function compareBy<Item, Field extends string & keyof Item>({ field, isDown }: Sort<Field>) {
  const sign = isDown ? -1 : 1;
  const weigh = (item: Item) => {
    const value = item[field];
    return typeof value === "string" ? value.toLowerCase() : value;
  };
  return (one: Item, other: Item) => {
    const [left, right] = [weigh(one), weigh(other)];
    if (left === right) return 0;
    return left < right ? -sign : sign;
  };
}
