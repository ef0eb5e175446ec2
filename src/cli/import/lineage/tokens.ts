// The API keys of a program of this lineage. They are kept there as texts, so their digests can be
// made here, and every holder goes on with the same text.
import { isAddressOrNetwork } from "../../../config/fields.ts";
import { digest, shorten } from "../../../identity/secrets.ts";
import { isGone, isSetIn, cellNames, numberIn, secondsIn, cellText, wholeIn } from "../cells.ts";
import {
  counted,
  noRates,
  type SnapshotAccount,
  type SnapshotKey,
  type Remark,
} from "../snapshot.ts";
import type { SourceRow, SourceTables } from "../queries.ts";
import type { Options } from "./options.ts";

const prefix = "sk-";
const automatic = "auto";
const columns = [
  "id user_id key name status expired_time unlimited_quota remain_quota created_time deleted_at",
  "model_limits_enabled model_limits models allow_ips subnet group",
].flatMap((line) => line.split(" "));

interface Tokens {
  keys: SnapshotKey[];
  remarks: Remark[];
}

export async function readTokens(
  tables: SourceTables,
  accounts: readonly SnapshotAccount[],
  options: Options,
): Promise<Tokens> {
  const owners = new Map(accounts.map((account) => [account.ref, account]));
  const remarks: Remark[] = [];
  const rows = await tables.rows("tokens", columns);
  const isLeft = (row: SourceRow) => isGone(row) || !owners.has(cellText(row, "user_id"));
  const left = rows.filter(isLeft).length;
  if (left > 0) {
    const why = "were deleted, or belong to users that do not come";
    remarks.push({ about: counted(left, "key"), why });
  }
  const keys = rows.flatMap((row) => {
    const owner = owners.get(cellText(row, "user_id"));
    return isGone(row) || !owner ? [] : [toKey(row, { owner, options, remarks })];
  });
  return { keys, remarks };
}

interface KeyWays {
  owner: SnapshotAccount;
  options: Options;
  remarks: Remark[];
}

function toKey(row: SourceRow, { owner, options, remarks }: KeyWays): SnapshotKey {
  const text = prefix + cellText(row, "key").replace(/^sk-/, "");
  const [ref, name] = [cellText(row, "id"), cellText(row, "name")];
  const faults: string[] = [];
  const models = modelsOf(row, faults);
  const addresses = addressesOf(row, faults);
  const group = groupOf(cellText(row, "group"), { owner, options, faults });
  // Those that have expired or are used up say so by themselves.
  const isEnabled = numberIn(row, "status") !== 2 && !faults.some((fault) => fault.endsWith("off"));
  const about = `key ${name} (${shorten(text)}) of ${owner.name}`;
  remarks.push(...faults.map((why) => ({ about, why })));
  return {
    ref,
    owner: owner.ref,
    hash: digest(text),
    shown: shorten(text),
    name,
    group,
    isEnabled,
    limitUnits: isSetIn(row, "unlimited_quota") ? null : wholeIn(row, "remain_quota"),
    bounds: { models, allow_ips: addresses, expires_at: expiryOf(row) },
    createdAt: secondsIn(row, "created_time"),
    rates: noRates,
  };
}

/** Without a moment it never expires; the first moment of all is long past. */
function expiryOf(row: SourceRow): number | null {
  return numberIn(row, "expired_time") < 0 ? null : (secondsIn(row, "expired_time") ?? 0);
}

function modelsOf(row: SourceRow, faults: string[]): string[] | null {
  if (row["model_limits_enabled"] !== undefined) {
    if (!isSetIn(row, "model_limits_enabled")) return null;
    const listed = cellNames(row, "model_limits");
    if (listed.length === 0) faults.push("allows no model at all, so it is off");
    return listed.length > 0 ? listed : null;
  }
  const listed = cellNames(row, "models");
  return listed.length > 0 ? listed : null;
}

function addressesOf(row: SourceRow, faults: string[]): string[] | null {
  const text = cellText(row, "allow_ips") || cellText(row, "subnet");
  const listed = text.split(/[\s,]+/).filter((part) => part !== "");
  if (listed.length === 0) return null;
  const valid = listed.filter(isAddressOrNetwork);
  if (valid.length === 0) faults.push("has no address that can be read, so it is off");
  else if (valid.length < listed.length) faults.push("has addresses that cannot be read");
  return valid.length > 0 ? valid : null;
}

function groupOf(
  group: string,
  { owner, options, faults }: { owner: SnapshotAccount; options: Options; faults: string[] },
): string | null {
  if (group === "") return null;
  const ratios = options.numbers("GroupRatio");
  const usable = new Set([...usableGroups(options), owner.group]);
  if (group === automatic) {
    const chosen = options.names("AutoGroups").find((name) => usable.has(name));
    faults.push(`chose its group by itself; it is in ${chosen ?? "that of its account"} now`);
    return chosen ?? null;
  }
  const isKnown = ratios === null || ratios.has(group);
  if (!isKnown || !usable.has(group)) {
    faults.push(`is in group ${group}, which its user may not use, so it is off`);
  }
  return group;
}

function usableGroups(options: Options): string[] {
  return options.has("UserUsableGroups") ? options.names("UserUsableGroups") : ["default", "vip"];
}
