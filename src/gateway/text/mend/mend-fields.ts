// Fields that a request can do without. Knowledge of a model may be out of date: a vendor that says
// it does not take a field is asked once more without it. These are fields that say how to draw
// words and how hard to think, never what is asked for; which of them were left out is told to the
// client.
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { LeftOut } from "../../../formats/format.ts";
import type { RequestFault } from "../../../upstreams/upstream.ts";

export interface Mended {
  body: JsonObject;
  left: readonly LeftOut[];
  /** It was our bound that was refused, and the vendor's own stands instead. */
  isUnbounded?: true;
}

interface Spare extends LeftOut {
  /** Vendors' words for it. */
  said: RegExp;
}

/** `temperature: 9` is the client's mistake, and stays a refusal. */
const refusing = [
  "support",
  "deprecated",
  "not (?:be )?(?:allowed|permitted|available|recognized)",
  "both",
  "may only|only the default",
  "unrecognized|unexpected|unknown|extra inputs|cannot find field",
  // The answer that goes on was begun by a model that did not think.
  "expected .?thinking",
];
const isRefused = new RegExp(refusing.join("|"), "i");
const refusedCodes: ReadonlySet<string | null> = new Set([
  "unsupported_parameter",
  "unsupported_value",
  "unknown_parameter",
]);

const temperature = /temperature/i;
const topP = /\btop[_ -]?p\b/i;
const topK = /\btop[_ -]?k\b/i;
const seed = /\bseed\b/i;
const presencePenalty = /presence[_ ]?penalty/i;
const frequencyPenalty = /frequency[_ ]?penalty/i;
const effort = /\beffort\b|reasoning_effort/i;
const thinking = /thinking/i;

/**
 * Groups in order: the first that is spoken of is meant, since thinking is named beside all the
 * others.
 */
const groups: readonly (readonly Spare[])[] = [
  [
    { name: "temperature", field: "temperature", said: temperature },
    { name: "top_p", field: "topP", said: topP },
    { name: "top_k", field: "topK", said: topK },
    { name: "seed", field: "seed", said: seed },
    { name: "presence_penalty", field: "presencePenalty", said: presencePenalty },
    { name: "frequency_penalty", field: "frequencyPenalty", said: frequencyPenalty },
    { name: "generationConfig.temperature", field: "temperature", said: temperature },
    { name: "generationConfig.topP", field: "topP", said: topP },
    { name: "generationConfig.topK", field: "topK", said: topK },
    { name: "generationConfig.seed", field: "seed", said: seed },
    { name: "generationConfig.presencePenalty", field: "presencePenalty", said: presencePenalty },
    {
      name: "generationConfig.frequencyPenalty",
      field: "frequencyPenalty",
      said: frequencyPenalty,
    },
  ],
  [
    { name: "verbosity", field: "verbosity", said: /verbosity/i },
    { name: "text.verbosity", field: "verbosity", said: /verbosity/i },
  ],
  [
    { name: "reasoning_effort", field: "reasoning", said: effort },
    { name: "reasoning.effort", field: "reasoning", said: effort },
    { name: "output_config.effort", field: "reasoning", said: effort },
  ],
  [
    { name: "reasoning", field: "reasoning", said: /\breasoning\b/i },
    { name: "thinking", field: "reasoning", said: thinking },
    { name: "generationConfig.thinkingConfig", field: "reasoning", said: thinking },
  ],
];

/** Null when the refusal is about something else, or nothing would be left out. */
export function withoutRefused(body: JsonObject, fault: RequestFault): Mended | null {
  const { status, code, param, message } = fault;
  if (status !== 400) return null;
  if (!refusedCodes.has(code) && !isRefused.test(message)) return null;
  const calmed = withoutEffort(body, fault);
  if (calmed) return calmed;
  const words = param ?? message;
  for (const group of groups) {
    const named = group.filter((spare) => spare.said.test(words) && has(body, spare.name));
    // One of two that exclude each other may stay.
    const meant = named.length === 2 && /\bboth\b/i.test(message) ? named.slice(1) : named;
    if (meant.length > 0) return takeOut(body, meant);
  }
  return null;
}

/** A model that reasons unasked and takes tools only where it does not must be told to stop. */
function withoutEffort(body: JsonObject, { param, message }: RequestFault): Mended | null {
  const { tools, reasoning_effort: effortGiven } = body;
  if (!Array.isArray(tools) || tools.length === 0 || effortGiven === "none") return null;
  if (!/\btools?\b/i.test(message)) return null;
  if (!/reasoning_effort/.test(`${param ?? ""} ${message}`)) return null;
  const left: LeftOut[] =
    typeof effortGiven === "string" ? [{ name: "reasoning_effort", field: "reasoning" }] : [];
  return { body: { ...body, reasoning_effort: "none" }, left };
}

function has(body: JsonObject, path: string): boolean {
  const { holder, name } = placeOf(body, path);
  return (holder?.[name] ?? null) !== null;
}

function takeOut(body: JsonObject, left: readonly Spare[]): Mended {
  const changed = { ...body };
  for (const { name: path } of left) {
    const { holder, name, within } = placeOf(changed, path);
    if (!holder) continue;
    const { [name]: _refused, ...rest } = holder;
    if (within === null) delete changed[name];
    else changed[within] = rest;
  }
  return { body: changed, left };
}

function placeOf(
  body: JsonObject,
  path: string,
): { holder: JsonObject | null; name: string; within: string | null } {
  const [first = "", second] = path.split(".");
  if (second === undefined) return { holder: body, name: first, within: null };
  const holder = body[first];
  return { holder: isObject(holder) ? holder : null, name: second, within: first };
}
