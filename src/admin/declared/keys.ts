// Makes the API keys those that the configuration file declares.
import type { Config } from "../../config/config.ts";
import { keyDefaults, type KeyInput } from "../../config/entities.ts";
import { ConfigError } from "../../config/problems.ts";
import type { KeyId } from "../../core/ids.ts";
import { readGroups } from "../../identity/groups/queries.ts";
import {
  findAccountByName,
  findKeyByName,
  findKeyByText,
  insertKey,
  readDeclaredKeys,
  updateKey,
  type AccountRow,
  type ApiKeyRow,
  type ListedKey,
} from "../../identity/queries.ts";
import { createApiKey, digest } from "../../identity/secrets.ts";
import { brief, changesOf } from "../audit/changes.ts";
import { configActor, noting } from "../audit/entry.ts";
import { factsOf, limitMicros, toFields, toNewRow, toText } from "../key/row.ts";
import type { DeclaredNeeds } from "./needs.ts";
import { agrees } from "./agrees.ts";

export interface DeclaredKeyMade {
  account: string;
  name: string;
  key: string;
}

interface Wanted {
  input: KeyInput;
  account: AccountRow;
  before: ListedKey | null;
}

/**
 * Looks everything up. One whose account or group is not there any more is told and left out:
 * people rename and delete accounts at any time, and nobody may keep the gateway from starting.
 * One that `known` has not is a slip of who wrote the file, and is thrown.
 */
export async function resolveKeys(
  needs: DeclaredNeeds,
  { keys, groups }: Pick<Config["declared"], "keys" | "groups">,
  known: readonly KeyInput[],
): Promise<Wanted[]> {
  const rows = await readGroups(needs.database);
  const groupNames = new Set([...rows, ...groups].map(({ name }) => name));
  const problems: string[] = [];
  const gone: string[] = [];
  const wanted: Wanted[] = [];
  for (const [at, input] of keys.entries()) {
    const resolved = await resolve(needs, input, groupNames);
    if (typeof resolved !== "string") wanted.push(resolved);
    else (namesTheSame(known, input) ? gone : problems).push(`keys.${at}.${resolved}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  for (const reason of gone) needs.log.warn("a declared key is left out", { reason });
  return wanted;
}

function namesTheSame(known: readonly KeyInput[], { account, group, key }: KeyInput): boolean {
  return known.some((one) => one.account === account && one.group === group && one.key === key);
}

async function resolve(
  { database }: DeclaredNeeds,
  input: KeyInput,
  groupNames: ReadonlySet<string>,
): Promise<Wanted | string> {
  const account = await findAccountByName(database, input.account ?? keyDefaults.account);
  if (!account) return `account names no account: ${input.account ?? keyDefaults.account}`;
  const group = input.group ?? account.group_name;
  if (!groupNames.has(group)) return `group names no group: ${group}`;
  const known = input.key === undefined ? null : await findKeyByText(database, digest(input.key));
  if (known && known.account_id !== account.id) return "key is the key of another account";
  const before = known ?? (await findKeyByName(database, account.id, input.name));
  return { input, account, before };
}

export async function applyKeys(
  needs: DeclaredNeeds,
  keys: readonly Wanted[],
  onKeyMade?: (key: DeclaredKeyMade) => void,
): Promise<void> {
  const kept = new Set<KeyId | null>();
  for (const wanted of keys) {
    const { before } = wanted;
    if (before) await change(needs, wanted, before);
    kept.add(before ? before.id : await add(needs, wanted, onKeyMade));
  }
  for (const row of await readDeclaredKeys(needs.database)) {
    if (!kept.has(row.id)) await revoke(needs, row);
  }
  needs.authenticator.forget();
}

/** Null when there is nobody to show the new text to. */
async function add(
  needs: DeclaredNeeds,
  { input, account }: Wanted,
  onKeyMade: ((key: DeclaredKeyMade) => void) | undefined,
): Promise<KeyId | null> {
  const { name } = input;
  if (input.key === undefined && !onKeyMade) {
    needs.log.warn("a declared key has no text and cannot be shown; it is not made", { key: name });
    return null;
  }
  const text = input.key ?? createApiKey(needs.random);
  const fields = toFields(input, account.group_name);
  const row = toNewRow(needs, { accountId: account.id, fields, text, declared: 1 });
  const changes = brief({ ...fields, account: account.username });
  const note = { action: "key.create", target: row.id, changes } as const;
  const { store, database } = noting(needs, configActor, note);
  await insertKey(store, database, row, limitMicros(input));
  if (input.key === undefined) onKeyMade?.({ account: account.username, name, key: text });
  return row.id;
}

async function change(
  needs: DeclaredNeeds,
  { input, account }: Wanted,
  before: ListedKey,
): Promise<void> {
  const row: Partial<ApiKeyRow> = {
    ...toFields(input, account.group_name),
    ...(input.key !== undefined && toText(input.key)),
    declared: 1,
    deleted_at_ms: null,
    // A key that was only disabled by hand stays so.
    status: before.deleted_at_ms === null ? before.status : "enabled",
  };
  const limit = limitMicros(input);
  if (agrees<ApiKeyRow>(before, row) && before.limit_micros === limit) return;
  const after = { ...before, ...row, limit_micros: limit };
  const changes = changesOf(factsOf(before), factsOf(after));
  const note = { action: "key.change", target: before.id, changes } as const;
  const { store, database } = noting(needs, configActor, note);
  await updateKey(store, database, before.id, { row, limitMicros: limit });
  await needs.balances.setLimit(before.id, limit);
}

async function revoke(needs: DeclaredNeeds, { id, username, name }: ListedKey): Promise<void> {
  const changes = { account: username, name };
  const note = { action: "key.revoke", target: id, changes } as const;
  const { store, database } = noting(needs, configActor, note);
  await updateKey(store, database, id, {
    row: { status: "disabled", declared: 0, deleted_at_ms: needs.clock.nowMs() },
  });
}
