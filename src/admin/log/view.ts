// A row of the usage log as it is shown: to its own account, and to admins. A field with the name
// of a column is that column.
import type { AccountId } from "../../core/ids.ts";
import { readUsernames } from "../../identity/queries.ts";
import { formatOfRoute } from "../../observe/format-of-route.ts";
import type { UsageRow } from "../../observe/usage-row.ts";
import { blankUsage } from "../../store/usage-columns.ts";
import type { RecordNeeds } from "../record-needs.ts";
import { LogView } from "./contract.ts";

/** Booleans on the wire. */
const flags: readonly string[] = ["stream", "estimated"];
type Shown = Exclude<keyof LogView & keyof UsageRow, "stream" | "estimated">;
/** Optional fields are for admins. */
type ForAll = { [Name in Shown]: object extends Pick<LogView, Name> ? never : Name }[Shown];

const shown = Object.keys(LogView.properties).filter(
  (name): name is Shown => name in blankUsage && !flags.includes(name),
);
const forAll: readonly string[] = LogView.required;
const isForAll = (name: string): name is ForAll => forAll.includes(name);
const shownToAll = shown.filter(isForAll);
const shownToAdmins = shown.filter((name) => !isForAll(name));

/** With whose they are and where they went. */
export async function toViews(
  { database }: Pick<RecordNeeds, "database">,
  rows: readonly UsageRow[],
): Promise<LogView[]> {
  const ids = [...new Set(rows.map(({ account_id }) => account_id as AccountId))];
  const usernames = await readUsernames(database, ids);
  return rows.map((row) => ({
    ...toView(row),
    account: usernames.get(row.account_id) ?? row.account_id,
    channel: row.channel_name,
    ...pick(row, shownToAdmins),
  }));
}

/** Without what is the gateway's own affair. */
export function toView(row: UsageRow): LogView {
  return {
    time: row.at_ms / 1000,
    request_id: row.id,
    ...pick(row, shownToAll),
    group: row.group_name,
    format: formatOfRoute(row.route),
    stream: row.stream === 1,
    seconds: row.media_ms / 1000,
    estimated: row.estimated === 1,
  };
}

function pick<Name extends Shown>(row: UsageRow, names: readonly Name[]): Pick<UsageRow, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<UsageRow, Name>;
}
