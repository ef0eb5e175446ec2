// Things a generateContent request may ask for that cost more than its tokens. Tools are told by
// the names of their fields, in both spellings.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { readOnce, SurchargeList } from "../kit/surcharges.ts";
import {
  callsMaxDefault,
  spokenTokens,
  type FieldPath,
  type Surcharge,
  type SurchargeSide,
  type SurchargeUse,
} from "../surcharge.ts";
import { readCount } from "../usage.ts";
import { field, listField, objectField } from "./schema.ts";
import { isWebSearch } from "./web-search.ts";
import { candidatesOf } from "./observe.ts";

/** Tools that the client runs. */
const ownTools = new Set(["functionDeclarations", "computerUse"]);
/** Searches are paid by the query or by the reply that has some, as the model is. */
const search = "googleSearch";
const groundedReply = "googleSearch.reply";
/** Those that are paid by the reply, and what tells of them in it. */
const byReply: ReadonlyMap<string, string> = new Map([
  ["googleSearchRetrieval", groundedReply],
  ["enterpriseWebSearch", groundedReply],
  ["googleMaps", "googleMaps"],
]);

function find(body: JsonObject): readonly Surcharge[] {
  const list = new SurchargeList();
  const tierName = body["serviceTier"] === undefined ? "service_tier" : "serviceTier";
  list.value("service_tier", tierOf(body[tierName]), [tierName]);
  const { tools } = body;
  const isAlone = readOnce(() => listField(body, "tools").every((tool) => !hasFunctions(tool)));
  if (isObject(tools)) addTool(tools, ["tools"], { found: list, isAlone });
  else if (Array.isArray(tools)) {
    for (let at = 0; at < tools.length; at++) {
      const tool = tools[at];
      if (isObject(tool)) addTool(tool, ["tools", at], { found: list, isAlone });
    }
  }
  addModalities(body, list);
  return list.all;
}

function hasFunctions(tool: JsonObject): boolean {
  return listField(tool, "functionDeclarations").length > 0;
}

interface Finding {
  found: SurchargeList;
  isAlone(): boolean;
}

function addTool(tool: JsonObject, path: FieldPath, { found: list, isAlone }: Finding): void {
  for (const spelled of Object.keys(tool)) {
    const name = spelled.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (ownTools.has(name) || tool[spelled] === null) continue;
    const place = [...path, spelled];
    if (name === search) list.merge(hosted(groundedReply, place, groundedReply));
    const one = hosted(name, place, byReply.get(name) ?? null);
    list.merge(isWebSearch(name) ? { ...one, search: { usesMax: null, isAlone: isAlone() } } : one);
  }
}

function hosted(name: string, path: FieldPath, reply: string | null): Surcharge {
  const calls = {
    max: reply === null ? callsMaxDefault : 1,
    counted: [reply ?? name],
    readsMore: true,
    // The findings have to fit into the window beside the rest, which is read once.
    readingsMax: 1,
  };
  return { kind: "hosted_tools", name, param: path.join("."), paths: [path], calls };
}

/** Words and pictures are what the model's own price is for. */
function addModalities(body: JsonObject, list: SurchargeList): void {
  const configName =
    body["generationConfig"] === undefined ? "generation_config" : "generationConfig";
  const config = body[configName];
  if (!isObject(config)) return;
  const name =
    config["responseModalities"] === undefined ? "response_modalities" : "responseModalities";
  const modalities = config[name];
  if (!Array.isArray(modalities)) return;
  const paths: FieldPath[] = modalities.flatMap((modality, at) =>
    /^(?:text|image)$/i.test(String(modality)) ? [] : [[configName, name, at]],
  );
  if (paths.length === 0) return;
  for (const speech of ["speechConfig", "speech_config"]) paths.push([configName, speech]);
  list.add({ kind: "audio", name: "audio", param: `${configName}.${name}`, paths });
}

/** Google spells what may be chosen in capitals as well, with the name of the choice before it. */
function tierOf(value: Json | undefined): Json | undefined {
  return typeof value === "string"
    ? value.toLowerCase().replace(/^(?:service_tier|on_demand)_|_?unspecified$/, "")
    : value;
}

/** Each chunk tells of the whole reply so far. */
function note(use: SurchargeUse, body: JsonObject): void {
  const usage = objectField(body, "usageMetadata") ?? {};
  use.give("service_tier", tierOf(field(usage, "serviceTier") ?? field(usage, "trafficType")));
  noteAudio(use, field(usage, "candidatesTokensDetails"));
  let queryCount = 0;
  for (const candidate of candidatesOf(body)) {
    const grounding = objectField(candidate, "groundingMetadata");
    if (!grounding) continue;
    const queries = field(grounding, "webSearchQueries");
    if (Array.isArray(queries)) queryCount += queries.length;
    const chunks = field(grounding, "groundingChunks");
    const hasMaps =
      Array.isArray(chunks) && chunks.some((one) => isObject(one) && isObject(one["maps"]));
    if (hasMaps) use.tell("googleMaps", 1);
  }
  if (queryCount === 0) return;
  use.tell(search, queryCount);
  use.tell(groundedReply, 1);
}

/** Note spoken tokens, where the vendor tells words from sound. */
function noteAudio(use: SurchargeUse, details: Json | undefined): void {
  if (!Array.isArray(details) || details.length === 0) return;
  const spoken = details.filter(isObject).filter(({ modality }) => modality !== "TEXT");
  const counts = spoken.map(({ tokenCount }) => readCount(tokenCount) ?? 0);
  use.tell(
    spokenTokens,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

export const contentSurcharges: SurchargeSide = {
  find,
  note,
  search: ({ isAlone }) => (isAlone ? find({ tools: [{ [search]: {} }] }) : []),
  mark: new TextEncoder().encode('"groundingMetadata"'),
};
