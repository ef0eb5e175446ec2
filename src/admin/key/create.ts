// Makes an API key for an account.
import { invalid } from "../../core/errors.ts";
import { apiKeyChecker } from "../../config/entity-rules.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { insertKey } from "../../identity/queries.ts";
import { createApiKey } from "../../identity/secrets.ts";
import { brief } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import { assertMayUseKeysOf } from "../authority.ts";
import type { CreatedKey } from "../contract.ts";
import { inTurn } from "../in-turn.ts";
import { readExpiry } from "../moments.ts";
import type { KeyNeeds } from "./needs.ts";
import { assertGroup, assertRoom, findNamed } from "./find.ts";
import { limitMicros, toFields, toNewRow } from "./row.ts";
import { viewRow } from "./view.ts";

/** The answer is the only time that the key's text is seen. */
export async function createKey(
  needs: KeyNeeds,
  operator: Operator,
  body: JsonObject,
): Promise<CreatedKey> {
  const { account: named, ...rest } = body;
  const input = parseWith(apiKeyChecker, rest);
  if (input.expires_at !== undefined) readExpiry(needs, input.expires_at);
  const owner = named ?? operator.username;
  if (typeof owner !== "string") throw invalid("account", "must be string");
  return await inTurn(needs, "identity", async () => {
    const account = await findNamed(needs, operator, owner);
    assertMayUseKeysOf(operator, account);
    const fields = toFields(input, account.group_name);
    assertGroup(needs, operator, fields.group_name, account.group_name);
    if (operator.role === "user") fields.follows_group = 1;
    await assertRoom(needs, account.id);
    const text = createApiKey(needs.random);
    const row = toNewRow(needs, { accountId: account.id, fields, text, declared: 0 });
    const limit = limitMicros(input);
    const { username } = account;
    const changes = brief({ ...rest, account: username });
    const note = { action: "key.create", target: row.id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await insertKey(store, database, row, limit);
    needs.authenticator.forgetKey(row.hash);
    const balance = { limit_micros: limit, held_micros: 0, spent_micros: 0 };
    const { role } = account;
    const view = await viewRow(needs, { ...row, ...balance, username, role });
    return { ...view, key: text };
  });
}
