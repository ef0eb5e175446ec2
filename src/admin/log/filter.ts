// What of the usage log is wanted.
import { invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { routesOfFormat } from "../../observe/format-of-route.ts";
import type { UsageFilter } from "../../observe/listing/queries.ts";
import { readMomentMs } from "../moments.ts";
import { readChannel, readOwnWhose, readWhose } from "../named.ts";
import type { RecordNeeds } from "../record-needs.ts";

export async function readFilter(needs: RecordNeeds, query: URLSearchParams): Promise<UsageFilter> {
  const channelId = readChannel(needs, query);
  return {
    ...readPlain(query),
    ...(await readWhose(needs, query)),
    ...(channelId !== null && { channelId }),
  };
}

/** Whatever is asked for, only the operator's own. */
export async function readOwnFilter(
  needs: RecordNeeds,
  { accountId }: Operator,
  query: URLSearchParams,
): Promise<UsageFilter> {
  return { ...readPlain(query), ...(await readOwnWhose(needs, accountId, query)) };
}

function readPlain(query: URLSearchParams): UsageFilter {
  const model = query.get("model");
  const requestId = query.get("request_id");
  const status = readNumber(query, "status");
  const fromMs = readMomentMs(query, "from");
  const toMs = readMomentMs(query, "to");
  return {
    ...readKinds(query),
    ...(model && { model }),
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
