// Reads a responses request: checks what the types alone cannot say, counts its media, and finds
// what binds it to the channel that made it.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { AddressFacts, NeededOrigins, RequiredOrigin, TextRequest } from "../format.ts";
import { readOutputBound } from "../kit/openai-fields.ts";
import { MediaBound } from "../kit/media-bound.ts";
import { VendorObjects } from "../kit/vendor-objects.ts";
import type { Earlier } from "../recollection.ts";
import { responsesRequest } from "./schema.ts";
import { openSummary, originOf } from "./sealed.ts";

/** What walking over the input finds. */
interface Findings {
  media: MediaBound;
  objects: VendorObjects;
  encrypted: string | null;
  /** Items that a vendor keeps. */
  references: RequiredOrigin[];
}

export const notKept =
  "refers to an item that is not known here. Send the item itself, as clients do with " +
  "`store: false`.";

const textTypes = new Set(["input_text", "output_text", "refusal", "reasoning_text", "text"]);
const mediaTypes = new Set(["input_image", "input_file", "input_audio", "computer_screenshot"]);

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
  const findings: Findings = {
    media: new MediaBound(),
    objects: new VendorObjects(),
    encrypted: null,
    references: [],
  };
  const earlierCount = earlier?.itemCount ?? 0;
  for (const [at, item] of listOf(body["input"]).entries()) {
    const path = `input.${at - earlierCount}`;
    findIn(item, path, findings);
    // What the gateway itself remembers was this account's.
    if (at >= earlierCount) findContainers(item, path, findings);
  }
  findTools(body["tools"], "tools", findings);
  const { prompt } = body;
  if (isObject(prompt)) findings.objects.add(prompt["id"], "prompt");
  const { readsMore, ...media } = findings.media.hold;
  return {
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: 1,
    outputTokensMax: readOutputBound(body, ["max_output_tokens"]),
    ...media,
    ...(endsTurn(listOf(body["input"]).at(-1)) && { mayBeEmpty: true }),
    readsMore: readsMore || isObject(prompt) || findings.objects.named.length > 0,
    wantsUsage: true,
    origins: originsOf(body, findings),
  };
}

function originsOf(body: JsonObject, { references, encrypted, objects }: Findings): NeededOrigins {
  const preferred = encrypted === null ? null : originOf(encrypted);
  const id = body["previous_response_id"];
  const all = [...references];
  if (typeof id === "string") all.unshift({ id, param: "previous_response_id" });
  const [required = null, ...alsoRequired] = all;
  const origins = { required, preferred, ...(alsoRequired.length > 0 && { alsoRequired }) };
  return objects.joinedTo(origins);
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
  const { encrypted_content: encrypted, result, id } = item;
  if (item["type"] === "item_reference" && typeof id === "string") {
    findings.references.push({ id, param: path, unknown: notKept });
  }
  if (typeof encrypted === "string" && openSummary(encrypted) === null)
    findings.encrypted = encrypted;
  if (item["type"] === "image_generation_call" && typeof result === "string") {
    findings.media.inline(result);
  }
  if (item["tools"] !== undefined) findTools(item["tools"], `${path}.tools`, findings);
  countParts(item["content"], `${path}.content`, findings);
  countParts(item["output"], `${path}.output`, findings);
}

/** A call of the past that is told again names where it ran, which the vendor goes on in. */
function findContainers(item: Json, path: string, { objects }: Findings): void {
  if (!isObject(item)) return;
  objects.addFrom(item, ["container_id"], path);
  objects.addFrom(item["environment"], ["container_id"], `${path}.environment`);
}

function checkMessage({ role, content }: JsonObject, path: string): void {
  if (typeof role !== "string") throw invalid(`${path}.role`, "must be a string");
  if (typeof content !== "string" && !Array.isArray(content)) {
    throw invalid(`${path}.content`, "must be a string or an array");
  }
}

function countParts(parts: Json | undefined, path: string, findings: Findings): void {
  if (isObject(parts)) countPart(parts, path, findings);
  for (const [at, part] of listOf(parts).entries()) {
    if (!isObject(part)) throw invalid(`${path}.${at}`, "must be an object");
    if (typeof part["type"] !== "string") throw invalid(`${path}.${at}.type`, "is required");
    if (/^(?:in|out)put_text$/.test(part["type"]) && typeof part["text"] !== "string") {
      throw invalid(`${path}.${at}.text`, "must be a string");
    }
    countPart(part, `${path}.${at}`, findings);
  }
}

/** What the vendor's own tools work with. */
function findTools(tools: Json | undefined, path: string, { objects }: Findings): void {
  for (const [at, tool] of listOf(tools).entries()) {
    const param = `${path}.${at}`;
    if (!isObject(tool) || tool["type"] === "function") continue;
    const { container, environment, input_image_mask: mask } = tool;
    objects.addFrom(tool, ["container", "vector_store_ids"], param);
    objects.addFrom(container, ["container_id", "file_ids"], `${param}.container`);
    objects.addFrom(environment, ["container_id", "file_ids"], `${param}.environment`);
    objects.addFrom(mask, ["file_id"], `${param}.input_image_mask`);
  }
}

function countPart(part: JsonObject, path: string, { media, objects }: Findings): void {
  const { type, image_url: image, file_data: file, input_audio: audio } = part;
  if (typeof type !== "string" || textTypes.has(type)) return;
  objects.addFrom(part, ["file_id"], path);
  if (!mediaTypes.has(type)) {
    media.unknown(part);
    return;
  }
  const sound = isObject(audio) ? audio["data"] : audio;
  if (type === "input_file" || type === "input_audio") {
    const data = type === "input_file" ? file : sound;
    if (typeof data === "string") media.inline(data);
    else media.elsewhere();
  } else {
    media.picture(typeof image === "string" ? image : "");
  }
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
