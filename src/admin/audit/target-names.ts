// Names of the things that entries are about. An entry keeps the id alone: a name may change, and one
// that is emptied with its account must not live on here.
import type { AccountId, ChannelId, KeyId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import type { AuditRow } from "./queries.ts";

export async function namesOfTargets(
  database: Database,
  rows: readonly Pick<AuditRow, "target_id">[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ target_id }) => target_id))];
  const within = (prefix: string) => ids.filter((id) => id.startsWith(prefix));
  const [accounts, keys, channels] = [within("acc_"), within("key_"), within("chn_")];
  const found = await Promise.all([
    accounts.length === 0
      ? []
      : database
          .selectFrom("account")
          .select(["id", "username as name"])
          .where("id", "in", accounts as AccountId[])
          .execute(),
    keys.length === 0
      ? []
      : database
          .selectFrom("api_key")
          .select(["id", "name"])
          .where("id", "in", keys as KeyId[])
          .execute(),
    channels.length === 0
      ? []
      : database
          .selectFrom("channel")
          .select(["id", "name"])
          .where("id", "in", channels as ChannelId[])
          .execute(),
  ]);
  return new Map(found.flat().map(({ id, name }) => [id, name]));
}
