// Reads a responses request: checks what the types alone cannot say, and finds what binds it to the
// channel that made it.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { AddressFacts, NeededOrigins, RequiredOrigin, TextRequest } from "../format.ts";
import { readOutputBound } from "../kit/openai-fields.ts";
import { nameFilesInMessages, nameFilesInWords } from "../kit/resellers/file-words.ts";
import { PlaceWalk } from "../kit/places/walk-places.ts";
import type { Earlier } from "../recollection.ts";
import { responsesItems, responsesPlaces } from "./places.ts";
import { responsesRequest } from "./schema.ts";
import { openSummary, originOf } from "./sealed.ts";

/** Findings of a walk over the input. */
interface Findings {
  encrypted: string | null;
  /** Thoughts that the vendor keeps and reads again: the items have their id and not their text. */
  keptThoughts: number;
  /** Items that a vendor keeps. */
  references: RequiredOrigin[];
}

export const notKept =
  "refers to an item that is not known here. Send the item itself, as clients do with " +
  "`store: false`.";

/** One of them says what the model is to answer. */
const inputFields = ["input", "previous_response_id", "prompt"];

export function readResponsesRequest(
  body: JsonObject,
  _address: AddressFacts | null = null,
  earlier: Earlier | null = null,
): TextRequest {
  const { model } = parseWith(responsesRequest, body);
  if (body["background"] === true) {
    throw invalid("background", "cannot be true: what is generated behind a reply is not metered");
  }
  if ((body["conversation"] ?? null) !== null) {
    throw invalid("conversation", "cannot be used: none of those that a vendor keeps is yours");
  }
  if (inputFields.every((name) => (body[name] ?? null) === null)) {
    throw invalid("input", "is missing, and so are previous_response_id and prompt");
  }
  const findings: Findings = { encrypted: null, keptThoughts: 0, references: [] };
  const walk = new PlaceWalk().body(body, responsesPlaces);
  const earlierCount = earlier?.itemCount ?? 0;
  for (const [at, item] of listOf(body["input"]).entries()) {
    const path = `input.${at - earlierCount}`;
    findIn(item, path, findings);
    if (at >= earlierCount) findKeptItem(item, path, findings);
    walk.at(["input", at - earlierCount], item, responsesItems, at < earlierCount);
  }
  nameFilesInWords(walk.objects, body["instructions"], "instructions");
  nameFilesInMessages(walk.objects, body["input"], "input");
  const request: TextRequest = {
    ...walk.hold,
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: 1,
    outputTokensMax: readOutputBound(body, ["max_output_tokens"]),
    wantsUsage: true,
    origins: walk.objects.joinedTo(originsOf(body, findings)),
  };
  if (findings.keptThoughts > 0) request.keptThoughts = findings.keptThoughts;
  // Paths of marks count from the first item that the client sent.
  if (earlierCount > 0) delete request.hourMarks;
  if (endsTurn(listOf(body["input"]).at(-1))) request.mayBeEmpty = true;
  return request;
}

function originsOf(body: JsonObject, { references, encrypted }: Findings): NeededOrigins {
  const preferred = encrypted === null ? null : originOf(encrypted);
  const id = body["previous_response_id"];
  const all = [...references];
  if (typeof id === "string") all.unshift({ id, param: "previous_response_id" });
  const [required = null, ...alsoRequired] = all;
  return { required, preferred, ...(alsoRequired.length > 0 && { alsoRequired }) };
}

/** Behind the result of a tool, or its own words, a model may have nothing more to say. */
function endsTurn(item: Json | undefined): boolean {
  if (!isObject(item)) return false;
  if (isMessage(item)) return item["role"] === "assistant";
  return typeof item["type"] === "string" && ownItems.test(item["type"]);
}

/** Results of tools, their calls, and reasoning. */
const ownItems = /(?:_output|_call|^reasoning|^mcp_approval_response)$/;

export function isMessage(item: JsonObject): boolean {
  return item["type"] === "message" || ((item["type"] ?? null) === null && "role" in item);
}

/** The input as items, which is what a text stands for. */
export function inputItems(input: Json | undefined): Json[] {
  if (typeof input === "string") return input === "" ? [] : [userMessage(input)];
  return listOf(input);
}

export function userMessage(text: string): JsonObject {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

/** Everything of a request that a model reads as text. */
export function responsesRequestTexts(body: JsonObject): string[] {
  const { input, instructions, tools, text } = body;
  const format = isObject(text) && isObject(text["format"]) ? [text["format"]] : [];
  return [
    ...textsOf(instructions),
    ...(typeof input === "string" ? [input] : listOf(input).flatMap(itemTexts)),
    ...[...listOf(tools), ...format].map((part) => JSON.stringify(part)),
  ];
}

function findIn(item: Json, path: string, findings: Findings): void {
  if (!isObject(item)) throw invalid(path, "must be an object");
  if (isMessage(item)) {
    checkMessage(item, path);
  } else if (typeof item["type"] !== "string") {
    throw invalid(`${path}.type`, "must be a string");
  }
  const { encrypted_content: encrypted, id } = item;
  if (item["type"] === "item_reference" && typeof id === "string") {
    findings.references.push({ id, param: path, unknown: notKept });
  }
  if (typeof encrypted === "string" && openSummary(encrypted) === null)
    findings.encrypted = encrypted;
  checkParts(item["content"], `${path}.content`);
  if (item["type"] !== "shell_call_output") checkParts(item["output"], `${path}.output`);
}

/** Items of an earlier answer that stand there by their id alone, so that the vendor finds them. */
function findKeptItem(item: Json, path: string, findings: Findings): void {
  if (!isObject(item)) return;
  const { type, id, encrypted_content: encrypted, result } = item;
  if (typeof id !== "string" || id === "") return;
  if (type === "reasoning" && typeof encrypted !== "string") findings.keptThoughts++;
  if (type === "image_generation_call" && typeof result !== "string") {
    findings.references.push({ id, param: path, unknown: notKept });
  }
}

function checkMessage({ role, content }: JsonObject, path: string): void {
  if (typeof role !== "string") throw invalid(`${path}.role`, "must be a string");
  if (typeof content !== "string" && !Array.isArray(content)) {
    throw invalid(`${path}.content`, "must be a string or an array");
  }
}

function checkParts(parts: Json | undefined, path: string): void {
  for (const [at, part] of listOf(parts).entries()) {
    if (!isObject(part)) throw invalid(`${path}.${at}`, "must be an object");
    if (typeof part["type"] !== "string") throw invalid(`${path}.${at}.type`, "is required");
    if (isText(part["type"]) && typeof part["text"] !== "string") {
      throw invalid(`${path}.${at}.text`, "must be a string");
    }
  }
}

function isText(type: string): boolean {
  return type === "input_text" || type === "output_text";
}

function itemTexts(item: Json): string[] {
  if (!isObject(item)) return [];
  const { content, name, input, output, summary, encrypted_content: encrypted } = item;
  return [
    ...[content, name, item["arguments"], input, output, summary].flatMap(textsOf),
    ...textsOf(openSummary(encrypted)),
    ...listOf(item["tools"]).map((tool) => JSON.stringify(tool)),
  ];
}

function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return listOf(value).flatMap((part) =>
    isObject(part) ? [...textsOf(part["text"]), ...textsOf(part["refusal"])] : [],
  );
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
