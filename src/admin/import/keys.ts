// API keys from elsewhere. Only digests come, so a key works on as its holder has it.
import type { AccountId, KeyId, ProjectId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith } from "../../core/schema.ts";
import {
  findAccount,
  findKeyByText,
  insertsOfKey,
  type ApiKeyRow,
} from "../../identity/queries.ts";
import { newKeyColumns } from "../../identity/keys/queries.ts";
import { toFields } from "../key/row.ts";
import { assertMayAddTo } from "./authority.ts";
import { ImportedKey } from "./contract.ts";
import type { ImportBy, ImportNeeds, ImportOutcome } from "./needs.ts";
import { readImported } from "./queries.ts";
import { comeOf, refused, writeRows } from "./rows.ts";

const keyChecker = compile(ImportedKey);

export async function importKeys(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<{ outcomes: ImportOutcome[]; keys: KeyId[] }> {
  const { database } = needs;
  const owners = await readImported(database, by.source, "accounts");
  const projects = await readImported(database, by.source, "projects");
  const hashes = new Set<string>();
  const { outcomes, made: madeIds } = await writeRows(needs, by, {
    kind: "keys",
    rows,
    refField: "ref",
    make: async (importedKey) => {
      const row = parseWith(keyChecker, importedKey);
      if (hashes.has(row.hash) || (await findKeyByText(needs.database, row.hash))) {
        throw refused("There is already a key of that text.");
      }
      const key = await toKeyRow(needs, row, owners.get(row.owner));
      if (row.project !== undefined) key.project_id = comeOf(projects, row.project) as ProjectId;
      if (row.maker !== undefined) key.maker_id = comeOf(owners, row.maker) as AccountId;
      await assertMayAddTo(needs, by, key.account_id, "keys.write");
      if (key.maker_id !== null) await assertMayAddTo(needs, by, key.maker_id, "keys.write");
      hashes.add(row.hash);
      const { name, group_name: group, status } = key;
      return {
        id: key.id,
        queries: insertsOfKey(needs.database, key, row.limit_micros),
        action: "key.create" as const,
        changes: { account: key.account_id, name, group, status, quota_micros: row.limit_micros },
      };
    },
  });
  for (const hash of hashes) needs.authenticator.forgetKey(hash);
  return { outcomes, keys: madeIds as KeyId[] };
}

async function toKeyRow(
  { database, groups, ids, clock }: ImportNeeds,
  row: ImportedKey,
  owner: string | undefined,
): Promise<ApiKeyRow> {
  const account = owner === undefined ? null : await findAccount(database, owner as AccountId);
  if (!account) throw refused("Its account has not come.");
  if (row.group !== null && !groups.find(row.group))
    throw refused(`There is no group ${row.group}.`);
  return {
    id: ids.key(),
    hash: row.hash,
    shown: row.shown,
    account_id: account.id,
    ...toFields(row, account.group_name),
    status: row.status,
    declared: 0,
    created_at_ms: row.created_at ? row.created_at * 1000 : clock.nowMs(),
    deleted_at_ms: null,
    ...newKeyColumns,
  };
}
