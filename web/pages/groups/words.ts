// Words of the page of groups.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("groups", "page", {
  make: "New group",
  multiplier: "Multiplier",
  multiplierOf: (value: number) => `× ${value}`,
  people: "People",
  noChannels: "No channel serves this group; its requests are refused.",
  noPeople: "No people in this group.",
  saved: (name: string) => `${name} was saved`,
  removeEffect:
    "Channels stop serving it. Groups with people or keys, and the default group, cannot be " +
    "deleted.",
  empty: "No groups yet",
  emptyText: "A group sets the channels, price multiplier and limits of its keys.",
  wrongMultiplier: "A number such as 1 or 0.8.",
  hints: {
    name: "Referenced by channels, keys and people.",
    multiplier: "Applied to every price; up to six decimals.",
    requests_per_minute: "For the whole group. Empty: no limit.",
  },
});
