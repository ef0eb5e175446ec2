// Words of those parts of the kit that every page but the overview has.
import { words } from "../../core/words.ts";
import { over } from "../first-words.ts";
import { t as kit } from "../words.ts";

export const t = over(
  kit,
  words("frame", "rest", {
    newer: "Newer",
    older: "Older",
    previous: "Previous",
    next: "Next",
    pageOf: (at: number, all: number) => `Page ${at} of ${all}`,
    rows: (count: string) => `${count} in all`,
    keptIt: "I have saved it",
    typeToConfirm: (text: string) => `Type ${text} to confirm`,
    clearAll: "Clear all",
    remove: (name: string) => `Remove filter ${name}`,
    noMatch: "Nothing matches",
    clearSearch: "Clear the search",
    clearFilters: "Clear filters",
    hints: {
      expires_at: "It stops working then. Empty: never.",
    },
  }),
);
