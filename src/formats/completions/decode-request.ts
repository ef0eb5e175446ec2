// A client's legacy completion request as an exchange: the prompt is what one user says.
import { invalid } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { noHints, type Exchange } from "../exchange.ts";
import type { TextRequest } from "../format.ts";
import {
  openaiNames,
  readSampling,
  readStop,
  readText,
  refuseLogitBias,
} from "../kit/openai-exchange.ts";
import { readNumber } from "../kit/openai-fields.ts";
import { unsupported } from "../kit/refuse.ts";

export function decodeCompletionsRequest(body: JsonObject, request: TextRequest): Exchange {
  refuse(body);
  const text = decodePrompt(body["prompt"]);
  return {
    model: request.model,
    system: [],
    turns: [{ role: "user", parts: [{ kind: "text", text }] }],
    tools: [],
    toolChoice: null,
    parallelCalls: null,
    shape: null,
    reasoning: null,
    outputTokensMax: request.outputTokensMax,
    choices: request.choices,
    stop: readStop(body["stop"]),
    sampling: readSampling(body),
    hints: { ...noHints, userId: readText(body["user"]) },
    names: openaiNames(body),
    ignored: [],
  };
}

/** Chat-like upstreams answer a prompt; they cannot repeat, frame or weigh it. */
function refuse(body: JsonObject): void {
  refuseLogitBias(body);
  if (body["echo"] === true) throw unsupported("echo");
  if (readText(body["suffix"])) throw unsupported("suffix");
  if ((readNumber(body["best_of"]) ?? 1) > 1) throw unsupported("best_of");
  if (readNumber(body["logprobs"]) !== null) throw unsupported("logprobs");
}

function decodePrompt(prompt: Json | undefined): string {
  const [only, ...others]: unknown[] = Array.isArray(prompt) ? prompt : [prompt];
  if (typeof only !== "string" || others.length > 0) throw unsupported("prompt");
  if (only === "") throw invalid("prompt", "is empty");
  return only;
}
