// Vendors of this wire whose bound on the answer leaves out what is thought before it, and how each
// bounds that too. A client that names the vendor's own field keeps it.
import { remembered } from "../../catalogue/rules/remembered.ts";
import { mayThink } from "../../catalogue/rules/unasked.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { BoundThoughts, RequestFault } from "../upstream.ts";

interface ThoughtBounds {
  host: RegExp;
  /** Null where nothing is to be changed. */
  bounded(body: JsonObject, model: string): BoundThoughts | null;
  /** Most tokens of thoughts beside an answer with this bound; 0 where nothing is known. */
  besideTokensMax(body: JsonObject, model: string, answerTokensMax: number): number;
}

/** Its range; a larger bound stays one of the answer alone. */
const arkTokensMax = 65_536;

/** Ark: `max_tokens` bounds the answer alone, `max_completion_tokens` both. */
const ark: ThoughtBounds = {
  host: /\.(?:volces|bytepluses)\.com$/,
  bounded(body, model) {
    const { max_tokens: bound, ...rest } = body;
    const isOwn = rest["max_completion_tokens"] !== undefined || isOff(body);
    if (isOwn || typeof bound !== "number" || bound > arkTokensMax) return null;
    return mayThink(model) ? { body: { ...rest, max_completion_tokens: bound }, added: [] } : null;
  },
  besideTokensMax: () => 0,
};

function isOff({ thinking }: JsonObject): boolean {
  return isObject(thinking) && thinking["type"] === "disabled";
}

/** The least that any of its models thinks at most; a larger budget may be refused. */
const budgetTokensMax = 30_720;
/** Qwen's models that think unless they are told not to. */
const thinkers = /(?:^|\/)qwen(?:3(?!\.?\d*-(?:max|coder))|-?[4-9])/;

/** DashScope: `max_tokens` bounds the answer, `thinking_budget` what is thought besides. */
const dashscope: ThoughtBounds = {
  host: /^dashscope[\w-]*\.aliyuncs\.com$/,
  bounded(body, model) {
    const bound = body["max_completion_tokens"] ?? body["max_tokens"];
    const isOwn = body["thinking_budget"] !== undefined;
    if (isOwn || typeof bound !== "number" || !isBudget(body, model, bound)) return null;
    return { body: { ...body, thinking_budget: bound }, added: [`thinking_budget=${bound}`] };
  },
  besideTokensMax(body, model, answerTokensMax) {
    const { thinking_budget: budget } = body;
    if (typeof budget === "number" && budget > 0) return Math.ceil(budget);
    return isBudget(body, model, answerTokensMax) ? answerTokensMax : 0;
  },
};

function isBudget({ enable_thinking: mode }: JsonObject, model: string, bound: number): boolean {
  if (mode === false || bound < 1 || bound > budgetTokensMax) return false;
  return mode === true ? /(?:^|\/)qwen/.test(model) : thinkers.test(model);
}

const vendors = [ark, dashscope];

export const thoughtBoundsOf = remembered((baseUrl): ThoughtBounds | null => {
  const { hostname } = URL.parse(baseUrl) ?? { hostname: "" };
  return vendors.find(({ host }) => host.test(hostname)) ?? null;
});

const isUnknown = /support|unknown|unrecogni[sz]ed|unexpected|extra/i;

/** A model that does not know the bound for both takes the one on its answer. */
export function withAnswerBound(body: JsonObject, fault: RequestFault): JsonObject | null {
  const { max_completion_tokens: bound, ...rest } = body;
  const words = `${fault.param ?? ""} ${fault.message}`;
  const isMeant = words.includes("max_completion_tokens") && isUnknown.test(words);
  if (bound === undefined || rest["max_tokens"] !== undefined || !isMeant) return null;
  return { ...rest, max_tokens: bound };
}
