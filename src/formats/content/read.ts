// Reads a generateContent request: what the gateway must know of it, and what a model reads of it.
import { invalid } from "../../core/errors.ts";
import { assert } from "../../core/assert.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { AddressFacts, DrawingFacts, TextRequest } from "../format.ts";
import { MediaBound } from "../kit/media-bound.ts";
import { VendorObjects } from "../kit/vendor-objects.ts";
import {
  contentRequest,
  field,
  listField,
  numberField,
  objectField,
  toSnake,
  textField,
} from "./schema.ts";
import { lastOrigin } from "./signature.ts";

export function readContentRequest(body: JsonObject, address: AddressFacts | null): TextRequest {
  assert(address, "the address of a generateContent request names its model");
  refuseTwice(body, "");
  const config = objectField(body, "generationConfig") ?? {};
  refuseTwice(config, "generationConfig.");
  parseWith(contentRequest, withLists(body));
  const contents = listField(body, "contents");
  const objects = new VendorObjects();
  const { readsMore, ...media } = boundMedia(contents, objects).hold;
  nameKept(body, objects);
  return {
    model: address.model,
    stream: address.stream,
    framing: address.framing,
    choices: numberField(config, "candidateCount") ?? 1,
    // Google reads 0 as no bound.
    outputTokensMax: numberField(config, "maxOutputTokens") || null,
    ...media,
    ...((hasStops(config) || endsTurn(contents.at(-1))) && { mayBeEmpty: true }),
    readsMore: readsMore || objects.named.length > 0,
    wantsUsage: true,
    origins: objects.joinedTo({ required: null, preferred: lastOrigin(contents) }),
  };
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

/** What is priced must be what is sent: of two spellings nobody knows which one counts. */
function refuseTwice(object: JsonObject, path: string): void {
  for (const name of Object.keys(object)) {
    const snake = toSnake(name);
    if (snake !== name && object[snake] !== undefined) {
      throw invalid(`${path}${snake}`, "is given in two spellings");
    }
  }
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

/** A cache, stores that are searched, and files among the instructions. */
function nameKept(body: JsonObject, objects: VendorObjects): void {
  objects.add(textField(body, "cachedContent"), "cachedContent");
  for (const [at, tool] of listField(body, "tools").entries()) {
    const search = objectField(tool, "fileSearch");
    const param = `tools.${at}.fileSearch.fileSearchStoreNames`;
    if (search) objects.add(field(search, "fileSearchStoreNames"), param);
    const retrieval = objectField(tool, "retrieval");
    if (retrieval) nameRetrieved(retrieval, `tools.${at}.retrieval`, objects);
  }
  const system = objectField(body, "systemInstruction");
  for (const [at, part] of (system ? listField(system, "parts") : []).entries()) {
    nameFile(objectField(part, "fileData"), `systemInstruction.parts.${at}.fileData`, objects);
  }
}

/** What Google's retrieval looks into. */
function nameRetrieved(retrieval: JsonObject, param: string, objects: VendorObjects): void {
  const search = objectField(retrieval, "vertexAiSearch");
  for (const name of ["datastore", "engine"]) {
    if (search) objects.add(field(search, name), `${param}.vertexAiSearch.${name}`);
  }
  for (const [at, spec] of (search ? listField(search, "dataStoreSpecs") : []).entries()) {
    const path = `${param}.vertexAiSearch.dataStoreSpecs.${at}.dataStore`;
    objects.add(field(spec, "dataStore"), path);
  }
  const store = objectField(retrieval, "vertexRagStore");
  if (!store) return;
  objects.add(field(store, "ragCorpora"), `${param}.vertexRagStore.ragCorpora`);
  for (const [at, resource] of listField(store, "ragResources").entries()) {
    const path = `${param}.vertexRagStore.ragResources.${at}`;
    objects.add(field(resource, "ragCorpus"), `${path}.ragCorpus`);
    objects.add(field(resource, "ragFileIds"), `${path}.ragFileIds`);
  }
}

function nameFile(file: JsonObject | null, param: string, objects: VendorObjects): void {
  const uri = file && textField(file, "fileUri");
  if (uri && isVendorFile(uri)) objects.add(uri, `${param}.fileUri`);
}

/** What anybody may fetch is no file of the vendor's. */
function isVendorFile(uri: string): boolean {
  const url = URL.parse(uri);
  if (!url || !/^https?:$/.test(url.protocol)) return true;
  return url.hostname.startsWith("generativelanguage.") || /\/v1\w*\/files\//.test(url.pathname);
}

function boundMedia(contents: readonly JsonObject[], objects: VendorObjects): MediaBound {
  const media = new MediaBound();
  for (const [at, content] of contents.entries()) {
    for (const [index, part] of listField(content, "parts").entries()) {
      const file = objectField(part, "fileData");
      if (file) {
        const param = `contents.${at}.parts.${index}.fileData.fileUri`;
        if (!textField(file, "fileUri")) throw invalid(param, "is required");
        nameFile(file, `contents.${at}.parts.${index}.fileData`, objects);
        media.elsewhere();
      }
      addInline(part, media);
      const response = objectField(part, "functionResponse");
      for (const [place, inner] of (response ? listField(response, "parts") : []).entries()) {
        const where = `contents.${at}.parts.${index}.functionResponse.parts.${place}.fileData`;
        nameFile(objectField(inner, "fileData"), where, objects);
        addInline(inner, media);
      }
    }
  }
  return media;
}

function addInline(part: JsonObject, media: MediaBound): void {
  for (const name of ["inlineData", "inline_data"]) {
    const data = part[name];
    if (isObject(data) && typeof data["data"] === "string") media.inline(data["data"]);
  }
}

/** What is only to be counted may be wrapped once more, and has no contents of its own then. */
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
