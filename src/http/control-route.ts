// A verb of the control plane as a row of the route table: where its input stands in the request,
// who may call it, and the `{success, message, data}` around what comes of it.
import type { BoundVerb } from "../admin/bind.ts";
import type { ApiCall, ControlCall, InputOf } from "../admin/call.ts";
import type { Success } from "../admin/contract/reply.ts";
import { assertAskable, shown } from "../admin/hidden.ts";
import { parseQuery } from "../admin/parse-query.ts";
import type { JsonObject } from "../core/json.ts";
import type { ReferenceEntry } from "../core/reference-entry.ts";
import { jsonAnswer, type Answer } from "../gateway/answer.ts";
import type { Operator } from "../identity/caller.ts";
import type { Seats } from "../identity/role.ts";
import type { ControlRoute, Incoming } from "./route.ts";
import { withScope } from "./scope-param.ts";

const bodyBytesMax = 1024 * 1024;

async function readBody(incoming: Incoming): Promise<JsonObject> {
  return (await incoming.json(bodyBytesMax)).value;
}

async function readOptionalBody(incoming: Incoming): Promise<JsonObject> {
  const { headers } = incoming;
  const hasBody =
    (headers.get("content-length") ?? "0") !== "0" || headers.has("transfer-encoding");
  return hasBody ? await readBody(incoming) : {};
}

/** Rows of verbs whose calls name their address and permission. */
export function routesOf<Needs>(needs: Needs, verbs: readonly BoundVerb<Needs>[]): ControlRoute[] {
  return routesFor(() => needs, verbs);
}

/** The same where some of the needs are known by the request alone. */
export function routesFor<Needs>(
  needsOf: (incoming: Incoming) => Needs,
  verbs: readonly BoundVerb<Needs>[],
): ControlRoute[] {
  return verbs.map(({ call, run }) =>
    rowOf(call, async (input, operator, incoming) =>
      succeed(shown(call, operator, await run(needsOf(incoming), operator, input))),
    ),
  );
}

/** Row of one call, for answers with cookies or other needs of their own. */
export function rowOf<One extends ControlCall>(
  call: One,
  serve: (input: InputOf<One> & object, operator: Operator, incoming: Incoming) => Promise<Answer>,
): ControlRoute {
  const [method, path] = splitAddress(call.at);
  const { permission, others, seats, isForEnrolment, showsSecret } = call;
  const row = route(
    { method, path, ...(permission && { permission }), entry: call },
    async (incoming, operator) => {
      const input = await readInput(call, incoming);
      assertAskable(call, operator, incoming.query);
      return await serve(input, operator, incoming);
    },
  );
  const { carriers = row.carriers } = call;
  return {
    ...(seats ? inScope(row, seats) : row),
    carriers,
    ...(others && { others }),
    ...(isForEnrolment && { isForEnrolment }),
    ...(showsSecret && { showsSecret }),
  };
}

/** Row of a call that is made before anybody is known. */
export function openRow<Policy extends "public" | "visitor", One extends ApiCall>(
  policy: Policy,
  call: One,
  serve: (input: InputOf<One> & object, incoming: Incoming) => Promise<Answer>,
) {
  const [method, path] = splitAddress(call.at);
  return {
    method,
    path,
    policy,
    envelope: "session" as const,
    entry: call,
    serve: async (incoming: Incoming) => serve(await readInput(call, incoming), incoming),
  };
}

function splitAddress(at: ApiCall["at"]): [ControlRoute["method"], string] {
  const space = at.indexOf(" ");
  return [at.slice(0, space) as ControlRoute["method"], at.slice(space + 1)];
}

/** Input that the call names, parsed; throws the 400 that names the wrong field. */
async function readInput<One extends ApiCall>(
  { query, body, fileTypes }: One,
  incoming: Incoming,
): Promise<InputOf<One> & object> {
  const read = body?.isOptional ? readOptionalBody : readBody;
  const input = {
    ...incoming.params,
    ...(query && { query: parseQuery(query, incoming.query) }),
    ...(body && { body: body.parse(await read(incoming)) }),
    ...(fileTypes && { pieces: (bytesMax: number) => incoming.pieces(bytesMax) }),
  };
  // The row's path has the parameters of the address, and the rest is parsed by its schemas.
  return input as InputOf<One> & object;
}

interface ControlAddress extends Pick<ControlRoute, "method" | "path" | "permission"> {
  entry: ReferenceEntry;
}

export function route(address: ControlAddress, serve: ControlRoute["serve"]): ControlRoute {
  const carriers = ["session", "token"] as const;
  return { ...address, policy: "control", envelope: "session", carriers, serve };
}

/** The row for those in the scope of an organisation, too, which its address or its query names. */
export function inScope(row: ControlRoute, seats: Seats): ControlRoute {
  const entry = row.path.includes("{organisation}") ? row.entry : withScope(row.entry, seats);
  return { ...row, seats, entry };
}

export function succeed<Data>(data: Data, headers: Answer["headers"] = {}): Answer {
  const answer: Success<Data> = { success: true, message: "", data };
  return { ...jsonAnswer(answer), headers: { "cache-control": "no-store", ...headers } };
}
