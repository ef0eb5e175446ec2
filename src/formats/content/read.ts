// Reads a generateContent request: what the gateway must know of it, and what a model reads of it.
import { assert } from "../../core/assert.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { AddressFacts, DrawingFacts, TextRequest } from "../format.ts";
import { nameFilesInWords } from "../kit/resellers/file-words.ts";
import { PlaceWalk } from "../kit/places/walk-places.ts";
import { contentPlaces } from "./places.ts";
import { contentRequest, field, listField, numberField, objectField, textField } from "./schema.ts";
import { lastOrigin } from "./signature.ts";

export function readContentRequest(body: JsonObject, address: AddressFacts | null): TextRequest {
  assert(address, "the address of a generateContent request names its model");
  const config = objectField(body, "generationConfig") ?? {};
  const walk = new PlaceWalk({ hasSpellings: true }).body(body, contentPlaces);
  parseWith(contentRequest, withLists(body));
  const contents = listField(body, "contents");
  const { parts } = objectField(body, "systemInstruction") ?? {};
  nameFilesInWords(walk.objects, parts, "systemInstruction.parts");
  const request: TextRequest = {
    ...walk.hold,
    model: address.model,
    stream: address.stream,
    framing: address.framing,
    choices: numberField(config, "candidateCount") ?? 1,
    // Google reads 0 as no bound.
    outputTokensMax: numberField(config, "maxOutputTokens") || null,
    wantsUsage: true,
    origins: walk.objects.joinedTo({ required: null, preferred: lastOrigin(contents) }),
  };
  if (hasStops(config) || endsTurn(contents.at(-1))) request.mayBeEmpty = true;
  return request;
}

/** A picture whose size is left open comes out as about one megapixel. */
export function readDrawingFacts(body: JsonObject): DrawingFacts {
  const config = objectField(body, "generationConfig") ?? {};
  const size = field(objectField(config, "imageConfig") ?? {}, "imageSize");
  const named = typeof size === "string" && size !== "" ? size : null;
  return { size: named, resolution: (named ?? "1k").toLowerCase(), quality: null, tier: null };
}

function hasStops(config: JsonObject): boolean {
  const stops = field(config, "stopSequences");
  return Array.isArray(stops) && stops.length > 0;
}

/** Behind the result of a tool, or its own words, a model may have nothing more to say. */
function endsTurn(content: JsonObject | undefined): boolean {
  if (!content) return false;
  const { role } = content;
  if (role === "model" || role === "function") return true;
  return listField(content, "parts").some((part) => objectField(part, "functionResponse") !== null);
}

/** The body with a list wherever Google takes one thing for a list of one. */
function withLists(body: JsonObject): JsonObject {
  const lists = asLists(body, ["contents", "tools"]);
  const contents = lists["contents"];
  if (Array.isArray(contents)) lists["contents"] = contents.map(withPartList);
  for (const name of ["systemInstruction", "system_instruction"]) {
    const instruction = lists[name];
    if (instruction !== undefined) lists[name] = withPartList(instruction);
  }
  return lists;
}

function withPartList(content: Json): Json {
  return isObject(content) ? asLists(content, ["parts"]) : content;
}

function asLists(object: JsonObject, names: readonly string[]): JsonObject {
  const lists = { ...object };
  for (const name of names) {
    const value = lists[name];
    if (isObject(value)) lists[name] = [value];
  }
  return lists;
}

/**
 * A body that is only to be counted may be wrapped once more, and has no contents of its own then.
 */
export function contentRequestTexts(sentBody: JsonObject): string[] {
  const wrapped = objectField(sentBody, "generateContentRequest");
  const body = wrapped && sentBody["contents"] === undefined ? wrapped : sentBody;
  const system = objectField(body, "systemInstruction");
  const contents = [...(system ? [system] : []), ...listField(body, "contents")];
  const texts = contents.flatMap((content) => listField(content, "parts").flatMap(partTexts));
  const tools = listField(body, "tools").flatMap((tool) => listField(tool, "functionDeclarations"));
  return [...texts, ...tools.map((tool) => JSON.stringify(tool))];
}

/** The texts of a part, of a request's or of a reply's. */
export function partTexts(part: JsonObject): string[] {
  const text = part["text"];
  if (typeof text === "string") return text === "" ? [] : [text];
  const call = objectField(part, "functionCall");
  if (call) return [textField(call, "name") ?? "", JSON.stringify(call["args"] ?? {})];
  const response = objectField(part, "functionResponse");
  if (response) {
    return [textField(response, "name") ?? "", JSON.stringify(response["response"] ?? {})];
  }
  const code = objectField(part, "executableCode") ?? objectField(part, "codeExecutionResult");
  const written = code ? (field(code, "code") ?? field(code, "output")) : null;
  return typeof written === "string" ? [written] : [];
}
