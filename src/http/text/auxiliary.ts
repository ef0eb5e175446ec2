// Questions of clients about text besides generating it: how long a request is, and what an
// upstream keeps of an earlier one. None of them costs anything.
import { content } from "../../formats/content/index.ts";
import type { Format, TextRequest } from "../../formats/format.ts";
import { messages } from "../../formats/messages/index.ts";
import { responses } from "../../formats/responses/index.ts";
import { jsonAnswer } from "../../gateway/answer.ts";
import { countTokens, type CountInput, type CountNeeds } from "../../gateway/text/count-tokens.ts";
import { callStored, type StoredNeeds } from "../../gateway/text/stored-response.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { withAzure } from "../aliases/azure.ts";
import { withVertex } from "../aliases/google.ts";
import type { Incoming, KeyRoute } from "../route.ts";
import { withVertexCount } from "./cloud-messages.ts";
import { textEntries as entries } from "./entries.ts";
import { wireHeaders } from "./serving.ts";

interface TextAuxiliaryNeeds {
  counting: CountNeeds;
  stored: StoredNeeds;
  bodyBytesMax: number;
}

export function textAuxiliaryRoutes(needs: TextAuxiliaryNeeds): KeyRoute[] {
  return [...countRoutes(needs), ...withAzure(storedRoutes(needs.stored))];
}

function countRoutes({ counting, bodyBytesMax }: TextAuxiliaryNeeds): KeyRoute[] {
  const post = { method: "POST", policy: "key", isPaid: false } as const;
  const count =
    (format: Format, render: CountInput["render"]): KeyRoute["serve"] =>
    async (incoming, { caller }) => {
      const { value } = await incoming.json(bodyBytesMax);
      const { plain, request } = readCounted(format, value, incoming);
      const { scope, headers } = incoming;
      const wire = wireHeaders(format, headers);
      const call = { format, body: value, plain, request, caller, scope, render };
      const counted = await countTokens(counting, { ...call, wireHeaders: wire });
      const answer = jsonAnswer(counted.body);
      return counted.isEstimated ? { ...answer, headers: estimated } : answer;
    };
  return [
    ...withVertexCount({
      ...post,
      carriers: ["bearer", "x-api-key"],
      envelope: "messages",
      path: "/v1/messages/count_tokens",
      entry: entries.countMessage,
      serve: count(messages, (tokens) => ({ input_tokens: tokens })),
    }),
    ...withAzure([
      {
        ...post,
        carriers: ["bearer"],
        envelope: "a",
        path: "/v1/responses/input_tokens",
        entry: entries.countResponse,
        serve: count(responses, (tokens) => ({
          object: "response.input_tokens",
          input_tokens: tokens,
        })),
      },
    ]),
    ...withVertex([
      {
        ...post,
        carriers: ["bearer", "google"],
        envelope: "google",
        path: "/v1beta/models/{model}:countTokens",
        entry: entries.countContent,
        serve: count(content, (tokens) => ({ totalTokens: tokens })),
      },
    ]),
  ];
}

/** Told where no vendor has counted. */
const estimated = { "x-sluice-estimated": "true" };

/** The body is checked as if it were to be answered; Google's may wrap it once more. */
function readCounted(
  format: Format,
  value: JsonObject,
  { params }: Incoming,
): { plain: JsonObject; request: TextRequest } {
  const model = params["model"];
  const address =
    model === undefined ? null : ({ model, stream: false, framing: "events" } as const);
  const inner = value["generateContentRequest"] ?? value["generate_content_request"];
  const plain = address && isObject(inner) ? inner : value;
  return { plain, request: format.read(plain, address) };
}

/** Only these go on to the vendor: an address may hold more, such as a key. */
const storedQuery = new Set(["include", "include[]", "limit", "order", "after", "before"]);

function storedRoutes(needs: StoredNeeds): KeyRoute[] {
  const common = { policy: "key", isPaid: false, carriers: ["bearer"], envelope: "a" } as const;
  const call =
    (method: "GET" | "POST" | "DELETE", part: string | null): KeyRoute["serve"] =>
    async ({ params, query, scope }, { caller }) => {
      const kept = [...query].filter(([name]) => storedQuery.has(name));
      return await callStored(needs, {
        id: params["id"] ?? "",
        part,
        method,
        query: new URLSearchParams(kept).toString(),
        caller,
        scope,
      });
    };
  const path = "/v1/responses/{id}";
  return [
    { ...common, method: "GET", path, entry: entries.readStored, serve: call("GET", null) },
    { ...common, method: "DELETE", path, entry: entries.deleteStored, serve: call("DELETE", null) },
    {
      ...common,
      method: "POST",
      path: `${path}/cancel`,
      entry: entries.cancelStored,
      serve: call("POST", "cancel"),
    },
    {
      ...common,
      method: "GET",
      path: `${path}/input_items`,
      entry: entries.listStoredInput,
      serve: call("GET", "input_items"),
    },
  ];
}
