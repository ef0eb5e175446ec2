// Rows that a database must hold before anyone can use it: the default group, the root account, one
// key. Each step looks before it acts, so a start that was interrupted is taken up where it was.
// Values of the environment replace what was there: they are the word of the operator.
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/problems.ts";
import type { Random } from "../core/random.ts";
import {
  findToken,
  replaceToken,
  updateAccountAndEndSessions,
} from "../identity/access/queries.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import { defaultGroup } from "../identity/groups.ts";
import { readGroups, writeGroup } from "../identity/groups/queries.ts";
import {
  findAccountByName,
  findKeyByName,
  findKeyByText,
  hadKey,
  insertAccount,
  insertKey,
  updateKey,
  type AccountRow,
} from "../identity/queries.ts";
import { createApiKey, digest } from "../identity/secrets.ts";
import { configActor, noting, type NotingNeeds } from "./audit/entry.ts";
import { toRow as toGroupRow } from "./group/row.ts";
import { toFields, toNewRow, toText } from "./key/row.ts";
import { isPasswordLength } from "./password-length.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import type { Reload } from "./reload.ts";
import { newAccount } from "./user/create.ts";
import { rootName } from "./user/fields.ts";

interface FirstRunNeeds extends NotingNeeds {
  random: Random;
  authenticator: Authenticator;
  reload: Reload;
}

/** Texts that exist nowhere else and are to be shown once; null where there is nothing to show. */
export interface Generated {
  password: string | null;
  key: string | null;
}

const keyName = "first";
const tokenName = "environment";
const passwordBytes = 18;

/** Check the root's settings before anything is made. */
export function checkRoot({ password }: Config["root"]): void {
  if (password !== null && !isPasswordLength(password)) {
    throw new ConfigError(["environment SLUICE_ROOT_PASSWORD must have 8 to 256 characters"]);
  }
}

/** `isUnshown`: what a start before has generated was seen by nobody, so it is made anew. */
export async function ensureRoot(
  needs: FirstRunNeeds,
  root: Config["root"],
  isUnshown = false,
): Promise<Generated> {
  checkRoot(root);
  await ensureDefaultGroup(needs);
  const { account, generated: password } = await ensureAccount(needs, root.password, isUnshown);
  const key = root.key === null ? await ensureAnyKey(needs, account, isUnshown) : null;
  if (root.key !== null) await ensureGivenKey(needs, account, root.key);
  if (root.token !== null) await ensureToken(needs, account, root.token);
  needs.authenticator.forget();
  return { password, key };
}

async function ensureDefaultGroup(needs: FirstRunNeeds): Promise<void> {
  const groups = await readGroups(needs.database);
  if (!groups.some(({ name }) => name === defaultGroup)) {
    await writeGroup(needs.database, toGroupRow({ name: defaultGroup }, 0));
  }
  await needs.reload.groups();
}

async function ensureAccount(
  needs: FirstRunNeeds,
  password: string | null,
  isUnshown: boolean,
): Promise<{ account: AccountRow; generated: string | null }> {
  const known = await findAccountByName(needs.database, rootName);
  const isMade = password === null && (!known || isUnshown);
  const generated = isMade ? createPassword(needs.random) : null;
  if (known) {
    const wanted = password ?? generated;
    if (wanted !== null) await ensurePassword(needs, known, wanted);
    return { account: known, generated };
  }
  const account = newAccount(needs, { username: rootName, role: "root", group: defaultGroup });
  account.password_hash = await hashPassword(password ?? generated ?? "");
  await insertAccount(needs.store, needs.database, account, true);
  return { account, generated };
}

async function ensurePassword(
  needs: FirstRunNeeds,
  { id, password_hash: hash }: AccountRow,
  password: string,
): Promise<void> {
  if (await isPassword(password, hash)) return;
  const change = { password_hash: await hashPassword(password) };
  const { store, database } = noting(needs, configActor, { action: "user.password", target: id });
  await updateAccountAndEndSessions(store, database, id, change);
}

/** Once: a first key that was revoked since is not made again. */
async function ensureAnyKey(
  needs: FirstRunNeeds,
  account: AccountRow,
  isUnshown: boolean,
): Promise<string | null> {
  const { store, database, random } = needs;
  const isThere = await hadKey(database, account.id, keyName);
  if (isThere && !isUnshown) return null;
  const text = createApiKey(random);
  const before = isThere ? await findKeyByName(database, account.id, keyName) : null;
  if (before) await updateKey(store, database, before.id, { row: toText(text) });
  else await addKey(needs, account, text);
  return text;
}

/** Another text than before takes the old one's place, which then no longer works. */
async function ensureGivenKey(
  needs: FirstRunNeeds,
  account: AccountRow,
  text: string,
): Promise<void> {
  const { store, database } = needs;
  const known = await findKeyByText(database, digest(text));
  if (known && known.account_id !== account.id) {
    throw new ConfigError(["environment SLUICE_ROOT_KEY is the key of another account"]);
  }
  const before = known ?? (await findKeyByName(database, account.id, keyName));
  if (!before) return await addKey(needs, account, text);
  const wanted = { ...toText(text), status: "enabled", deleted_at_ms: null } as const;
  if (known?.status === "enabled" && known.deleted_at_ms === null) return;
  await updateKey(store, database, before.id, { row: wanted });
}

async function addKey(needs: FirstRunNeeds, account: AccountRow, text: string): Promise<void> {
  const fields = toFields({ name: keyName }, account.group_name);
  const row = toNewRow(needs, { accountId: account.id, fields, text, declared: 0 });
  await insertKey(needs.store, needs.database, row, null);
}

async function ensureToken(
  needs: FirstRunNeeds,
  { id: accountId }: AccountRow,
  text: string,
): Promise<void> {
  const hash = digest(text);
  const known = await findToken(needs.database, hash);
  if (known?.account_id === accountId) return;
  if (known) throw new ConfigError(["environment SLUICE_ROOT_TOKEN is that of another account"]);
  const id = needs.ids.token();
  const changes = { account: rootName, name: tokenName };
  const note = { action: "access_token.create", target: id, changes } as const;
  const { store, database } = noting(needs, configActor, note);
  await replaceToken(store, database, {
    id,
    hash,
    account_id: accountId,
    name: tokenName,
    created_at_ms: needs.clock.nowMs(),
    expires_at_ms: null,
    read_only: 0,
    organisation_id: null,
  });
}

function createPassword(random: Random): string {
  return Buffer.from(random.bytes(passwordBytes)).toString("base64url");
}
