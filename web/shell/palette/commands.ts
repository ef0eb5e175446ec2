// Commands of the palette: what the first button of a page does, by a name and by other words.
import type { Permission } from "../../../src/admin/contract.ts";
import { withQuery } from "../../core/api.ts";
import { addressOf } from "../../core/place.ts";
import { scope } from "../../core/scope.ts";
import { may } from "../../core/session.ts";
import type { PageName } from "../../pages/titles.ts";
import { t } from "./words.ts";

type CommandName = Exclude<keyof ReturnType<typeof t>, "synonyms">;

export interface Command {
  name: CommandName;
  page: PageName;
  /** Null where everybody who sees the page may. */
  needs: Permission | null;
  query: Readonly<Record<string, string>>;
}

const making = { new: "1" };
const commands: readonly Command[] = [
  { name: "key", page: "keys", needs: null, query: making },
  { name: "channel", page: "channels", needs: "channels.write", query: making },
  { name: "invitation", page: "codes", needs: "people.write", query: making },
  { name: "person", page: "people", needs: "people.write", query: making },
  {
    name: "code",
    page: "codes",
    needs: "money.write",
    query: { kind: "credit", ...making },
  },
  { name: "budget", page: "budgets", needs: null, query: making },
  { name: "group", page: "groups", needs: "groups.write", query: making },
  { name: "role", page: "roles", needs: "roles.write", query: making },
  { name: "virtualModel", page: "virtual", needs: "channels.write", query: making },
  { name: "announcement", page: "announcements", needs: "site.write", query: making },
  { name: "price", page: "prices", needs: "prices.write", query: making },
  { name: "credit", page: "people", needs: "money.write", query: {} },
  { name: "backup", page: "operations", needs: "gateway.backup", query: making },
  { name: "notices", page: "settings", needs: "settings.read", query: { view: "notices" } },
  { name: "import", page: "operations", needs: "gateway.import", query: {} },
];

/** Commands that the person may give, in an organisation's scope those on its own things alone. */
export function shownCommands(): readonly Command[] {
  return commands.filter(({ needs }) => (needs === null ? scope === null : may(needs)));
}

export function commandAddress({ page, query }: Command): string {
  return withQuery(addressOf(page), query);
}

/** Whether the text stands in the label, or each of its words begins another word of the entry. */
export function isCalled(text: string, label: string, name: string): boolean {
  const wanted = text.toLowerCase();
  const shown = label.toLowerCase();
  if (shown.includes(wanted)) return true;
  // Many type English words in whatever language they read.
  const synonyms = [t().synonyms, t.en.synonyms].flatMap((table) => wordsOf(table, name));
  const words = [...shown.split(" "), ...synonyms];
  return wanted.split(/\s+/).every((typed) => words.some((word) => word.startsWith(typed)));
}

function wordsOf(table: Readonly<Record<string, string>>, name: string): string[] {
  return table[name]?.split(" ") ?? [];
}
