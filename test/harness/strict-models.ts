// Vendors whose models refuse what the real ones refuse, in the words of their vendors.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import type { Dialect } from "../../src/formats/exchange.ts";
import type { VendorScript } from "./vendor.ts";
import { answers, wires } from "./wires.ts";

/** The current models of each dialect, and some that are still in use. */
export const currentModels: Readonly<Record<Dialect, readonly string[]>> = {
  chat: ["gpt-4.1", "o3", "gpt-5", "gpt-5.1", "gpt-5.2", "gpt-5.4"],
  responses: ["gpt-4.1", "o3", "gpt-5", "gpt-5.1", "gpt-5.2", "gpt-5.4"],
  messages: [
    "claude-sonnet-4-0",
    "claude-opus-4-1",
    "claude-sonnet-4-5",
    "claude-opus-4-6",
    "claude-opus-4-7",
    "claude-sonnet-5",
    "claude-opus-5-5",
  ],
  content: ["gemini-2.5-flash", "gemini-3-pro-preview"],
};

/** Answers what the model takes, and refuses the rest. */
export function strict(dialect: Dialect, text: string): VendorScript {
  return (request, reply) => {
    const refusal = refusals[dialect](request.body);
    if (refusal === null) return answers(dialect, text)(request, reply);
    const { message, ...fields } = refusal;
    const body = wires[dialect].refusal(400, message);
    const error = "error" in body && isObject(body.error) ? body.error : {};
    return reply.json({ ...body, error: { ...error, ...fields } }, 400);
  };
}

interface Refusal {
  message: string;
  code?: string;
  param?: string;
}

type Refuse = (body: Record<string, unknown>) => Refusal | null;

const efforts: readonly [RegExp, readonly string[]][] = [
  [/^o\d/, ["low", "medium", "high"]],
  [/^gpt-5$/, ["minimal", "low", "medium", "high"]],
  [/^gpt-5\.1/, ["none", "low", "medium", "high"]],
  [/^gpt-5\./, ["none", "low", "medium", "high", "xhigh"]],
];

function refuseOpenai(
  body: Record<string, unknown>,
  effort: unknown,
  name: string,
): Refusal | null {
  const model = String(body["model"]);
  const known = efforts.find(([pattern]) => pattern.test(model))?.[1] ?? [];
  if (effort !== undefined && known.length === 0) {
    return unsupported(name, `Unrecognized request argument supplied: ${name}`);
  }
  if (effort !== undefined && !known.includes(String(effort))) {
    const message = `Unsupported value: '${name}' does not support '${String(effort)}' with this model.`;
    return { message, param: name, code: "unsupported_value" };
  }
  const isIdle = known.includes("none") && (effort ?? "none") === "none";
  if (known.length === 0 || isIdle) return null;
  const set = ["temperature", "top_p", "presence_penalty", "frequency_penalty"].find(
    (field) => body[field] !== undefined,
  );
  return set === undefined ? null : unsupported(set);
}

function unsupported(param: string, message?: string): Refusal {
  return {
    message: message ?? `Unsupported parameter: '${param}' is not supported with this model.`,
    param,
    code: "unsupported_parameter",
  };
}

const refuseChat: Refuse = (body) => {
  const { model, tools, reasoning_effort: effort, user } = body;
  if (typeof user === "string" && user.length > 64) {
    const message = "Invalid 'user': string too long. Expected a string with maximum length 64.";
    return { message, param: "user", code: "string_above_max_length" };
  }
  const isReasoning = effort !== undefined && effort !== "none";
  if (model === "gpt-5.4" && Array.isArray(tools) && isReasoning) {
    const message =
      "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.";
    return { message, param: "reasoning_effort" };
  }
  return refuseOpenai(body, effort, "reasoning_effort");
};

const refuseResponses: Refuse = (body) => {
  const { input, stream_options: options, reasoning } = body;
  if (Array.isArray(input) && input.length === 0) {
    return { message: "Missing required parameter: 'input'.", param: "input" };
  }
  if (isObject(options) && "include_usage" in options) {
    const message = "Unknown parameter: 'stream_options.include_usage'.";
    return { message, param: "stream_options.include_usage", code: "unknown_parameter" };
  }
  for (const [at, item] of list(input).entries()) {
    const { type, id } = item;
    if (type === "function_call" && typeof id === "string" && !id.startsWith("fc")) {
      const message = `Invalid 'input[${at}].id': '${id}'. Expected an ID that begins with 'fc'.`;
      return { message, param: `input[${at}].id`, code: "invalid_value" };
    }
  }
  const effort = isObject(reasoning) ? reasoning["effort"] : undefined;
  const isPlain = String(body["model"]).startsWith("gpt-4");
  if (isPlain && reasoning !== undefined) return unsupported("reasoning");
  return refuseOpenai(body, effort, "reasoning.effort");
};

const withoutSampling = /opus-4-[7-9]|(?:opus|sonnet)-5/;
const withOneOfTwo = /opus-4-[1-6]|(?:sonnet|haiku)-4-[56]/;
const callId = /^[a-zA-Z0-9_-]+$/;

const refuseMessages: Refuse = (body) => {
  const model = String(body["model"]);
  const set = ["temperature", "top_p", "top_k"].filter((field) => body[field] !== undefined);
  if (withoutSampling.test(model) && set[0] !== undefined) {
    return { message: `\`${set[0]}\` is deprecated for this model.` };
  }
  if (withOneOfTwo.test(model) && set.includes("temperature") && set.includes("top_p")) {
    return {
      message:
        "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
    };
  }
  const { thinking } = body;
  const isThinking = isObject(thinking) && thinking["type"] !== "disabled";
  if (isThinking && (body["temperature"] ?? 1) !== 1) {
    return { message: "`temperature` may only be set to 1 when thinking is enabled." };
  }
  for (const [at, message] of list(body["messages"]).entries()) {
    for (const [place, { id, tool_use_id: used }] of list(message["content"]).entries()) {
      const odd = [id, used].find((one) => typeof one === "string" && !callId.test(one));
      if (odd === undefined) continue;
      const path = `messages.${at}.content.${place}.tool_use.id`;
      return { message: `${path}: String should match pattern '^[a-zA-Z0-9_-]+$'` };
    }
  }
  const choice = isObject(body["tool_choice"]) ? body["tool_choice"]["type"] : null;
  if (/5-5/.test(model) && (choice === "any" || choice === "tool")) {
    return { message: "tool_choice: forced tool use is not supported for this model." };
  }
  return null;
};

const refusals: Readonly<Record<Dialect, Refuse>> = {
  chat: refuseChat,
  responses: refuseResponses,
  messages: refuseMessages,
  content: () => null,
};

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as Json[]).filter(isObject) : [];
}
