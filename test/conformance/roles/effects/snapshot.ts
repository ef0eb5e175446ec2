// The state at one moment of all that a call might change to somebody's advantage.
import type { Gateway } from "../../../harness/gateway.ts";
import { rowsOf } from "../../../harness/rows.ts";

interface AccountRow {
  id: string;
  role: string;
  staff_role: string | null;
  password_hash: string;
  granted_micros: number;
  unlimited: number;
}

export interface Snapshot {
  accounts: ReadonlyMap<string, AccountRow>;
  /** Credentials and ways in of all kinds, each with whose it is. */
  ways: ReadonlyMap<string, string>;
  /** Permissions by the names of roles. */
  roles: ReadonlyMap<string, string>;
  /** Settings by which people sign in or letters leave, as they are stored. */
  settings: ReadonlyMap<string, string>;
}

const waysSql = [
  "select 'key ' || id as way, account_id from api_key where deleted_at_ms is null",
  "select 'token ' || id as way, account_id from access_token",
  "select 'identity ' || id as way, account_id from oauth_identity",
  "select 'totp ' || account_id as way, account_id from totp",
  "select 'seat ' || person_id || ' ' || role as way, organisation_id as account_id from member",
].join(" union all ");

const accountsSql =
  "select id, role, staff_role, password_hash, granted_micros, unlimited from account " +
  "left join ledger_account on account_id = id";

const settingsSql =
  "select name, value from setting where name in ('mail.smtp', 'oauth.providers')";

export async function takeSnapshot(gateway: Gateway): Promise<Snapshot> {
  const accounts = await rowsOf<AccountRow & Record<string, unknown>>(gateway, accountsSql);
  const ways = await rowsOf<{ way: string; account_id: string }>(gateway, waysSql);
  const roles = await rowsOf<{ name: string; permissions: string }>(
    gateway,
    "select name, permissions from role",
  );
  const settings = await rowsOf<{ name: string; value: string }>(gateway, settingsSql);
  return {
    accounts: new Map(
      // One engine has sums as texts.
      accounts.map((row) => [row.id, { ...row, granted_micros: Number(row.granted_micros) }]),
    ),
    ways: new Map(ways.map(({ way, account_id: accountId }) => [way, accountId])),
    roles: new Map(roles.map((row) => [row.name, row.permissions])),
    settings: new Map(settings.map((row) => [row.name, row.value])),
  };
}
