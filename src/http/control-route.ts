// How a verb of the control plane becomes a row of the route table: where its input stands in the
// request, who may call it, and the `{success, message, data}` around what comes of it.
import type { Success } from "../admin/contract.ts";
import type { ControlParts } from "../admin/parts.ts";
import type { JsonObject } from "../core/json.ts";
import { jsonAnswer, type Answer } from "../gateway/answer.ts";
import type { Operator } from "../identity/caller.ts";
import type { ControlRoute, Incoming } from "./route.ts";

const bodyBytesMax = 1024 * 1024;

type Verb<Input> = (parts: ControlParts, operator: Operator, input: Input) => Promise<unknown>;
type Read<Input> = (incoming: Incoming) => Promise<Input>;

export const nothing: Read<void> = async () => {};
export const query: Read<URLSearchParams> = async (incoming) => incoming.query;
export const id: Read<{ id: string }> = async ({ params }) => ({ id: params["id"] ?? "" });
export const body: Read<JsonObject> = async (incoming) => (await incoming.json(bodyBytesMax)).value;
export const idAndBody = async (incoming: Incoming) => ({
  ...(await id(incoming)),
  body: await body(incoming),
});

/** Reads the input, runs the verb, wraps what comes of it. */
export function servedBy(parts: ControlParts) {
  return <Input>(read: Read<Input>, verb: Verb<Input>): ControlRoute["serve"] =>
    async (incoming, operator) =>
      succeed(await verb(parts, operator, await read(incoming)));
}

export function route(
  method: ControlRoute["method"],
  path: string,
  role: ControlRoute["role"],
  serve: ControlRoute["serve"],
): ControlRoute {
  const carriers = ["session", "token"] as const;
  return { method, path, policy: "control", envelope: "session", role, carriers, serve };
}

/** Also for an admin who still has to set up a second factor. */
export function forEnrolment(row: ControlRoute): ControlRoute {
  return { ...row, isForEnrolment: true };
}

export function succeed<Data>(data: Data, headers: Answer["headers"] = {}): Answer {
  const answer: Success<Data> = { success: true, message: "", data };
  return { ...jsonAnswer(answer), headers: { "cache-control": "no-store", ...headers } };
}
