// The calls that an import makes of the control plane, made within the process: by the very verbs
// that a request reaches, with the permissions of who began it.
import type { BoundVerb } from "../../admin/bind.ts";
import { channelCalls } from "../../admin/channel/contract.ts";
import type { ChannelNeeds } from "../../admin/channel/needs.ts";
import { channelVerbs } from "../../admin/channel/verbs.ts";
import { importCalls } from "../../admin/import/contract.ts";
import type { ImportNeeds } from "../../admin/import/needs.ts";
import { importVerbs } from "../../admin/import/verbs.ts";
import { parseQuery } from "../../admin/parse-query.ts";
import { priceCalls } from "../../admin/price/contract.ts";
import type { PriceNeeds } from "../../admin/price/needs.ts";
import { priceVerbs } from "../../admin/price/verbs.ts";
import { userCalls } from "../../admin/user/contract.ts";
import type { UserNeeds } from "../../admin/user/needs.ts";
import { userVerbs } from "../../admin/user/verbs.ts";
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import { parseJson, type Json, type JsonObject } from "../../core/json.ts";
import type { Log } from "../../core/log.ts";
import type { Operator } from "../../identity/caller.ts";
import type { OwnAnswer, OwnCall } from "./import-thread.ts";

interface OwnCallNeeds {
  rows: ChannelNeeds & ImportNeeds & PriceNeeds & UserNeeds;
  log: Log;
}

const allowed = new Set<string>([
  userCalls.list.at,
  channelCalls.list.at,
  priceCalls.list.at,
  importCalls.read.at,
  importCalls.write.at,
]);

export async function answerOwnCall(
  needs: OwnCallNeeds,
  operator: Operator,
  { method, path, body }: OwnCall,
): Promise<OwnAnswer> {
  try {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    const { call, run } = verbAt(`${method} ${pathname}`);
    if (call.permission && !operator.may.has(call.permission)) {
      throw new GatewayError("permission_denied");
    }
    const input = {
      query: parseQuery(call.query ?? {}, searchParams),
      body: call.body?.parse(read(body)),
    };
    return { data: toJson(await run(needs.rows, operator, input)) };
  } catch (error) {
    const known = toGatewayError(error);
    return { refusal: known.message };
  }
}

function verbAt(at: string): BoundVerb<OwnCallNeeds["rows"]> {
  const verbs: BoundVerb<OwnCallNeeds["rows"]>[] = [
    userVerbs,
    channelVerbs,
    priceVerbs,
    importVerbs,
  ].flat();
  const verb = allowed.has(at) ? verbs.find(({ call }) => call.at === at) : undefined;
  if (!verb) throw new GatewayError("not_found");
  return verb;
}

function read(body: string | undefined): JsonObject {
  const value = parseJson(new TextEncoder().encode(body ?? "{}"));
  return value as JsonObject;
}

/** The answer as it would be on the wire. */
function toJson(answer: unknown): Json {
  return parseJson(new TextEncoder().encode(JSON.stringify(answer)));
}
