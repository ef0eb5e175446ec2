// What of the usage log is wanted.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { AccountId, KeyId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccountByName, findKeyOwner } from "../../identity/queries.ts";
import { routesOfFormat } from "../../observe/format-of-route.ts";
import type { UsageFilter } from "../../observe/listing/queries.ts";
import { readMomentMs } from "../moments.ts";
import type { RecordNeeds } from "../record-needs.ts";

export async function readFilter(needs: RecordNeeds, query: URLSearchParams): Promise<UsageFilter> {
  const accountId = await readAccount(needs, query);
  const channelId = readChannel(needs, query);
  return {
    ...readPlain(query),
    ...(accountId !== null && { accountId }),
    ...(channelId !== null && { channelId }),
  };
}

/** Whatever is asked for, only the operator's own. */
export function readOwnFilter(operator: Operator, query: URLSearchParams): UsageFilter {
  return { ...readPlain(query), accountId: operator.accountId };
}

/** That of the `account` that is named, or of the `key`: the rows of one account are found fast. */
export async function readAccount(
  { database }: RecordNeeds,
  query: URLSearchParams,
): Promise<AccountId | null> {
  const username = query.get("account");
  if (!username) {
    const keyId = query.get("key");
    return keyId ? await findKeyOwner(database, keyId as KeyId) : null;
  }
  const account = await findAccountByName(database, username);
  if (!account) throw new GatewayError("not_found", { param: "account" });
  return account.id;
}

/** By name or id; a channel that is gone is known by its id alone. */
export function readChannel({ channels }: RecordNeeds, query: URLSearchParams): string | null {
  const text = query.get("channel");
  if (!text) return null;
  const channel = channels.all.find(({ settings }) => settings.name === text);
  return channel?.settings.id ?? text;
}

function readPlain(query: URLSearchParams): UsageFilter {
  const model = query.get("model");
  const keyId = query.get("key");
  const requestId = query.get("request_id");
  const status = readNumber(query, "status");
  const fromMs = readMomentMs(query, "from");
  const toMs = readMomentMs(query, "to");
  return {
    ...readKinds(query),
    ...(model && { model }),
    ...(keyId && { keyId }),
    ...(requestId && { requestId }),
    ...(status !== null && { status }),
    ...(fromMs !== null && { fromMs }),
    ...(toMs !== null && { toMs }),
  };
}

/** How it ended, how it was asked, and from what size on. */
function readKinds(query: URLSearchParams): UsageFilter {
  const [outcome, format, group] = [query.get("outcome"), query.get("format"), query.get("group")];
  const errorCode = query.get("error_code");
  const [isFailed, isStream] = [readTruth(query, "failed"), readTruth(query, "stream")];
  const attemptsMin = readNumber(query, "attempts_min");
  const latencyMinMs = readNumber(query, "latency_min");
  const microsMin = readNumber(query, "micros_min");
  if (outcome && !outcomes.includes(outcome)) {
    throw invalid("outcome", `must be one of ${outcomes.join(", ")}`);
  }
  return {
    ...(outcome && { outcome }),
    ...(format && { routes: routesOfFormat(format) }),
    ...(group && { group }),
    ...(errorCode && { errorCode }),
    ...(isFailed !== null && { isFailed }),
    ...(isStream !== null && { isStream }),
    ...(attemptsMin !== null && { attemptsMin }),
    ...(latencyMinMs !== null && { latencyMinMs }),
    ...(microsMin !== null && { microsMin }),
  };
}

const outcomes: readonly string[] = [
  "ok",
  "client_abort",
  "rejected",
  "upstream_error",
  "gateway_error",
];

function readTruth(query: URLSearchParams, name: string): boolean | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw invalid(name, "must be true or false");
}

function readNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  if (!/^\d{1,12}$/.test(text)) throw invalid(name, "must be a whole number");
  return Number(text);
}
