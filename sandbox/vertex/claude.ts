// Claude by rawPredict: Anthropic's wire, with the model in its address and the version in its
// body.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { Refusal } from "../google/errors.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { jsonBodyOf } from "../wire.ts";
import type { VertexAsk, VertexVendors } from "./ask.ts";

const oldVersion = "vertex-2023-10-16";
/** Version of Anthropic's own service that each stands for. */
const versions: ReadonlyMap<unknown, string> = new Map([
  [oldVersion, "2023-06-01"],
  ["2026-10-21", "2026-10-21"],
]);
const betaNames = new Set([
  "compact",
  "computer-use",
  "context-1m",
  "context-management",
  "dangerous-tool-use",
  "interleaved-thinking",
  "per-turn-control",
  "thinking-binding-controls",
  "thinking-display-updates",
  "tool-search-tool",
  "web-search",
]);
const betaDate = /-\d{4}-\d\d-\d\d$/;
const countModel = "count-tokens";

export function claudeAnswer(ask: VertexAsk, { anthropic }: VertexVendors): Answer {
  const { request, model, verb } = ask;
  const body = jsonBodyOf(request);
  if (!isObject(body)) throw new Refusal(400);
  const isCount = model === countModel;
  checkPlace(ask, body);
  const { anthropic_version: version, ...said } = body;
  const own = versions.get(version);
  if (own === undefined) throw new Refusal(400, "anthropic_version: Field required");
  if ((verb === "streamRawPredict") !== (said["stream"] === true)) {
    throw new Refusal(400, "stream: must be as the method says.");
  }
  const headers = headersOf(ask, own);
  const path = isCount ? "/v1/messages/count_tokens" : "/v1/messages";
  const text = JSON.stringify(isCount ? said : { ...said, model: model.replace(/@.*$/, "") });
  return anthropic.answer({ ...request, path, headers, body: new TextEncoder().encode(text) });
}

function checkPlace({ model, verb, request }: VertexAsk, body: JsonObject): void {
  if (verb !== "rawPredict" && verb !== "streamRawPredict") throw new Refusal(404);
  if (request.headers.has("anthropic-version")) {
    throw new Refusal(400, "anthropic-version: must stand in the body.");
  }
  if ((model === countModel) !== (body["model"] !== undefined)) {
    throw new Refusal(400, "model: Extra inputs are not permitted");
  }
}

function headersOf({ request, caller }: VertexAsk, version: string): VendorRequest["headers"] {
  const headers = new Headers(request.headers);
  const betas = headers.get("anthropic-beta")?.split(",") ?? [];
  const strange = betas.find((beta) => !betaNames.has(beta.trim().replace(betaDate, "")));
  if (strange !== undefined) {
    throw new Refusal(400, `Unexpected value(s) \`${strange}\` for the \`anthropic-beta\` header.`);
  }
  headers.delete("authorization");
  headers.set("x-api-key", caller);
  headers.set("anthropic-version", version);
  return headers;
}
