// Letters about what happened to an account, in the commit in which it happened.
import type { AccountRow } from "../../identity/queries.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { PeopleMail } from "./people-mail.ts";

interface Written {
  store: Store;
  database: Database;
}

export async function tellingOfPassword(
  { mail }: { mail: PeopleMail | null },
  written: Written,
  { id, username: name }: Pick<AccountRow, "id" | "username">,
): Promise<Written> {
  if (!mail) return written;
  return await mail.telling(written, id, { kind: "password_changed", facts: { name } });
}
