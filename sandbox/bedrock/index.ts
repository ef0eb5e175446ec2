// The cloud that speaks Bedrock's wires: the runtime, Mantle, the lists, and what gives out
// credentials. The models behind it are those of the other vendors of the sandbox.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { readEvents } from "../../src/core/sse.ts";
import { createAnthropic } from "../anthropic/index.ts";
import { directivesOf, readFaults } from "../directives.ts";
import { createOpenai } from "../openai/index.ts";
import type { Answer, Vendor, VendorRequest, VendorWorld } from "../vendor.ts";
import { jsonAnswer, jsonBodyOf } from "../wire.ts";
import { bedrockPrefix, callerOf } from "./access.ts";
import { toConverse } from "./converse-reply.ts";
import { toMessages } from "./converse-request.ts";
import { readCountAsk } from "./count.ts";
import { embeddingAnswer } from "./embed.ts";
import { BedrockRefusal, refusedAnswer } from "./errors.ts";
import { broken, frameAll, wrapEvents } from "./frames.ts";
import { readInvoke } from "./invoke.ts";
import { machineAnswer } from "./machine.ts";
import { pictureAnswer } from "./pictures.ts";
import { platformAnswer } from "./platform.ts";

const modelPath =
  /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream|converse|converse-stream|count-tokens)$/;
const mantlePath = /^(?:\/openai)?(\/v1\/.*)$/;
const claudePath = /^\/anthropic(\/v1\/.*)$/;

export function createBedrock(world: VendorWorld): Vendor {
  const [anthropic, openai] = [createAnthropic(world), createOpenai(world)];
  let count = 0;
  const answerAt = (request: VendorRequest): Answer => {
    const nowMs = world.clock.nowMs();
    const beside = machineAnswer(request, nowMs) ?? platformAnswer(request, anthropic, nowMs);
    if (beside) return beside;
    const [, claude] = claudePath.exec(request.path) ?? [];
    const [, other] = mantlePath.exec(request.path) ?? [];
    const below = claude ?? other;
    if (below === undefined) return runtimeAnswer(request, anthropic, nowMs);
    const key = callerOf(request, "bedrock-mantle", nowMs);
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${key}`);
    return (claude === undefined ? openai : anthropic).answer({ ...request, path: below, headers });
  };
  return {
    prefix: bedrockPrefix,
    answer(request) {
      const answer = orRefused(() => answerAt(request));
      const id = `amzn-${String(++count).padStart(8, "0")}`;
      return { ...answer, headers: { ...answer.headers, "x-amzn-requestid": id } };
    },
  };
}

function orRefused(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof BedrockRefusal) return refusedAnswer(error);
    throw error;
  }
}

function runtimeAnswer(request: VendorRequest, anthropic: Vendor, nowMs: number): Answer {
  const key = callerOf(request, "bedrock", nowMs);
  const { path, method } = request;
  if (path === "/foundation-models") {
    const isOfPictures = request.query.get("byOutputModality") === "IMAGE";
    return jsonAnswer({ modelSummaries: [{ modelId: isOfPictures ? drawer : plainModel }] });
  }
  if (path === "/inference-profiles") {
    return jsonAnswer({ inferenceProfileSummaries: [{ inferenceProfileId: `us.${plainModel}` }] });
  }
  const [, name, verb] = modelPath.exec(path) ?? [];
  if (name === undefined || verb === undefined || method !== "POST") {
    throw new BedrockRefusal(404, "There is no such operation.", "UnknownOperationException");
  }
  const model = decodeURIComponent(name);
  const isCount = verb === "count-tokens";
  if (!isCount) checkModel(model);
  const body = jsonBodyOf(request);
  if (!isObject(body)) throw new BedrockRefusal(400, "The body is not a JSON object.");
  const text = new TextDecoder().decode(request.body);
  refuseOnDemand(text, key);
  const other =
    verb === "invoke" && (embeddingAnswer(model, body) ?? pictureAnswer({ model, key, body }));
  if (other) return other;
  const visit = { request, anthropic, key, model, text, isStream: verb.includes("stream") };
  if (isCount) return counted(body, visit);
  return verb.startsWith("invoke") ? invoked(body, visit) : conversed(body, visit);
}

interface Visit {
  request: VendorRequest;
  anthropic: Vendor;
  key: string;
  model: string;
  /** The body as it came, in which directives stand. */
  text: string;
  isStream: boolean;
  /** Anthropic's, where it is not that of messages. */
  path?: string;
}

const plainModel = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const drawer = "amazon.nova-canvas-v1:0";
const profile = /^(?:us|eu|apac|jp|au|us-gov|global)\.|^arn:aws:bedrock:/;

/** Newer models of one maker are served by profiles alone. */
function checkModel(model: string): void {
  if (!profile.test(model) && !/^[a-z0-9]+\.[\w.:-]+$/.test(model)) {
    throw new BedrockRefusal(400, "The provided model identifier is invalid.");
  }
  if (model === plainModel) {
    const message = `Invocation of model ID ${model} with on-demand throughput isn’t supported.`;
    throw new BedrockRefusal(400, message);
  }
}

/** Refusals that a status alone does not tell apart. */
const refusals: Readonly<Record<string, [status: number, exception: string, message: string]>> = {
  "quota-exceeded": [400, "ServiceQuotaExceededException", "Your request exceeds the quota."],
  "not-ready": [429, "ModelNotReadyException", "The model is not ready."],
  "tokens-per-day": [429, "ThrottlingException", "Too many tokens per day, please wait."],
  "expired-token": [403, "ExpiredTokenException", "The security token is expired"],
  "too-long": [400, "ValidationException", "Input is too long for requested model."],
  "end-of-life": [
    400,
    "ValidationException",
    "This model version has reached the end of its life.",
  ],
};

function refuseOnDemand(text: string, key: string): void {
  for (const { name } of directivesOf(text, key)) {
    const refusal = refusals[name];
    if (refusal) throw new BedrockRefusal(refusal[0], refusal[2], refusal[1]);
  }
}

function invoked(body: JsonObject, visit: Visit): Answer {
  const { isStream, text, key } = visit;
  const invoke = readInvoke(body, visit.model, isStream);
  const answer = ask(invoke.body, invoke.headers, visit);
  if (answer.content.kind === "whole") return answer;
  const events = readEvents(new TextDecoder().decode(Buffer.concat(answer.content.events)));
  return framed(answer, broken(wrapEvents(events), text, key));
}

function counted(body: JsonObject, visit: Visit): Answer {
  const asked = readCountAsk(body, visit.model);
  const answer = ask(asked.body, asked.headers, { ...visit, path: "/v1/messages/count_tokens" });
  const bytes = answer.content.kind === "whole" ? answer.content.bytes : new Uint8Array(0);
  const count: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return jsonAnswer({ inputTokens: (isObject(count) && count["input_tokens"]) || 0 });
}

function conversed(body: JsonObject, visit: Visit): Answer {
  const { isStream, text, key } = visit;
  const answer = ask(toMessages(body, visit.model), { "anthropic-version": "2023-06-01" }, visit);
  const bytes = answer.content.kind === "whole" ? answer.content.bytes : new Uint8Array(0);
  const message: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const faults = readFaults(text, key);
  const reply = toConverse(isObject(message) ? message : {}, faults.noUsage);
  visit.request.note({ stream: isStream });
  if (!isStream) return { ...jsonAnswer(reply.body), faults: answer.faults };
  return framed(answer, broken(frameAll(reply.events), text, key));
}

/** The model's answer on Anthropic's wire; what it refuses is refused in Amazon's words. */
function ask(body: JsonObject, headers: Record<string, string>, visit: Visit): Answer {
  const { anthropic, request, key, path = "/v1/messages" } = visit;
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const answer = anthropic.answer({
    ...request,
    method: "POST",
    path,
    headers: new Headers({ ...headers, "x-api-key": key }),
    body: bytes,
  });
  if (answer.status < 400) return answer;
  const words: unknown =
    answer.content.kind === "whole"
      ? JSON.parse(new TextDecoder().decode(answer.content.bytes))
      : {};
  const error = isObject(words) && isObject(words["error"]) ? words["error"] : {};
  throw new BedrockRefusal(answer.status, String(error["message"]));
}

function framed(answer: Answer, events: Uint8Array[]): Answer {
  const headers = { "content-type": "application/vnd.amazon.eventstream" };
  return { status: 200, headers, faults: answer.faults, content: { kind: "events", events } };
}
