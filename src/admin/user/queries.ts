// Settings of people for themselves, in the database.
import type { AccountId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import type { ProfileTable } from "../../store/people/people-schema.ts";

export type ProfileRow = Omit<ProfileTable, "account_id">;

const emptyProfile: ProfileRow = {
  display_name: null,
  language: null,
  zone: null,
  low_balance_micros: null,
  notice_url: null,
};

export async function readProfile(database: Database, accountId: AccountId): Promise<ProfileRow> {
  const row = await database
    .selectFrom("profile")
    .select(["display_name", "language", "zone", "low_balance_micros", "notice_url"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row ?? emptyProfile;
}

export async function writeProfile(
  database: Database,
  accountId: AccountId,
  row: ProfileRow,
): Promise<void> {
  await database
    .insertInto("profile")
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(row))
    .execute();
}
