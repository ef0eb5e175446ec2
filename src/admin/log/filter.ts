// Rows of the usage log that a parsed query asks for.
import type { Operator } from "../../identity/caller.ts";
import { routesOfFormat } from "../../observe/format-of-route.ts";
import type { UsageFilter } from "../../observe/listing/queries.ts";
import type { QueryOf } from "../call.ts";
import { channelNamed, ownWhoseNamed, whoseNamed } from "../named.ts";
import type { RecordNeeds } from "../record-needs.ts";
import { spanOf } from "../span.ts";
import type { logFilter, ownLogFilter } from "./contract.ts";

export async function toFilter(
  needs: RecordNeeds,
  query: QueryOf<typeof logFilter>,
): Promise<UsageFilter> {
  const channelId = channelNamed(needs, query.channel);
  return {
    ...toPlain(query),
    ...(await whoseNamed(needs, query)),
    ...(channelId !== null && { channelId }),
  };
}

/** Restrict any filter to the operator's own rows. */
export async function toOwnFilter(
  needs: RecordNeeds,
  operator: Operator,
  query: QueryOf<typeof ownLogFilter>,
): Promise<UsageFilter> {
  return { ...toPlain(query), ...(await ownWhoseNamed(needs, operator, query)) };
}

function toPlain(query: QueryOf<typeof ownLogFilter>): UsageFilter {
  const { model, request_id: requestId, status, outcome, format, group } = query;
  const { error_code: errorCode, label, failed: isFailed, stream: isStream } = query;
  const { attempts_min: attemptsMin, latency_min: latencyMinMs, micros_min: microsMin } = query;
  return {
    ...spanOf(query),
    ...(outcome && { outcome }),
    ...(format && { routes: routesOfFormat(format) }),
    ...(group && { group }),
    ...(label && { label }),
    ...(errorCode && { errorCode }),
    ...(isFailed !== undefined && { isFailed }),
    ...(isStream !== undefined && { isStream }),
    ...(attemptsMin !== undefined && { attemptsMin }),
    ...(latencyMinMs !== undefined && { latencyMinMs }),
    ...(microsMin !== undefined && { microsMin }),
    ...(model && { model }),
    ...(requestId && { requestId }),
    ...(status !== undefined && { status }),
  };
}
