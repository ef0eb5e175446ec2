// Reads a legacy completion request and checks what the types alone cannot say.
import { GatewayError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import { noOrigins, type TextRequest } from "../format.ts";
import { PlaceWalk } from "../kit/places/walk-places.ts";
import { readNumber, readOutputBound, wantsCost, wantsUsage } from "../kit/openai-fields.ts";
import { completionsPlaces } from "./places.ts";
import { completionsRequest } from "./schema.ts";

/** Tokens the vendors generate when the request does not say. */
const outputTokensDefault = 16;

/** The second is no field of this wire, and gateways read it all the same. */
export const outputBounds = ["max_tokens", "max_completion_tokens"] as const;

function hasBound({ max_tokens: bound }: JsonObject): boolean {
  return typeof bound === "number" && bound > 0;
}

export function readCompletionsRequest(body: JsonObject): TextRequest {
  const { model, prompt } = parseWith(completionsRequest, body);
  const prompts = countPrompts(prompt);
  const bound = readOutputBound(body, outputBounds);
  const perPrompt = Math.max(readNumber(body["n"]) ?? 1, readNumber(body["best_of"]) ?? 1);
  const walk = new PlaceWalk().body(body, completionsPlaces);
  const request: TextRequest = {
    ...walk.hold,
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: prompts * perPrompt,
    // A vendor that does not know the newer name goes by its default beside it.
    outputTokensMax: Math.max(bound ?? 0, hasBound(body) ? 0 : outputTokensDefault),
    // There is nothing that a text must go on with.
    mayBeEmpty: true,
    wantsUsage: wantsUsage(body),
    origins: walk.objects.joinedTo(noOrigins),
  };
  if (bound === null) request.isDefaultBound = true;
  if (wantsCost(body)) request.wantsCost = true;
  return request;
}

/** A list of numbers is one prompt in tokens; a list of anything else is a list of prompts. */
function countPrompts(prompt: unknown): number {
  if (!Array.isArray(prompt)) return 1;
  if (prompt.length === 0) {
    throw new GatewayError("invalid_request", { param: "prompt", message: "prompt is empty" });
  }
  return typeof prompt[0] === "number" ? 1 : prompt.length;
}
