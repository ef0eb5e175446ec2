// The content filter's findings, written into answers of OpenAI's wire as Azure writes them: into
// whole ones, and into streams as an event before the answer and one that has no delta.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import type { Answer } from "../vendor.ts";

const clean = { filtered: false, severity: "safe" };
const findings = { hate: clean, self_harm: clean, sexual: clean, violence: clean };
const ofPrompt = [{ prompt_index: 0, content_filter_results: findings }];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `isLate` has the findings of the answer come behind it, as the asynchronous filter does. */
export function withFindings(answer: Answer, isLate: boolean): Answer {
  const { content } = answer;
  if (answer.status !== 200) return answer;
  if (content.kind === "whole") {
    const bytes = encoder.encode(JSON.stringify(wholeFindings(content.bytes)));
    return { ...answer, content: { kind: "whole", bytes } };
  }
  const [first] = content.events;
  if (first === undefined || !decoder.decode(first).startsWith("data:")) return answer;
  const begin = { choices: [], created: 0, id: "", model: "", object: "" };
  const events = [event({ ...begin, prompt_filter_results: ofPrompt }), ...content.events];
  if (isLate) events.splice(-1, 0, event(lateFindings));
  return { ...answer, content: { kind: "events", events } };
}

const lateFindings = {
  choices: [
    {
      index: 0,
      finish_reason: null,
      content_filter_results: findings,
      content_filter_offsets: { check_offset: 0, start_offset: 0, end_offset: 10 },
    },
  ],
  id: "",
  model: "",
  object: "",
  created: 0,
};

function wholeFindings(bytes: Uint8Array): JsonObject {
  const body: unknown = JSON.parse(decoder.decode(bytes));
  if (!isObject(body)) return {};
  if (body["object"] === "response") return { ...body, content_filters: null };
  const { choices } = body;
  if (!Array.isArray(choices)) return body;
  const judged = choices.map((choice) =>
    isObject(choice) ? { ...choice, content_filter_results: findings } : choice,
  );
  return { ...body, choices: judged, prompt_filter_results: ofPrompt };
}

function event(chunk: object): Uint8Array {
  return encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
}
