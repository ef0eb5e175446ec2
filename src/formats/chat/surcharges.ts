// Things a chat completion may ask for that cost more than its tokens.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { findOpenaiSurcharges, noteOpenaiUse } from "../kit/openai-surcharges.ts";
import { findHourMarks, SurchargeList } from "../kit/surcharges.ts";
import type { FieldPath, Surcharge, SurchargeSide } from "../surcharge.ts";
import { uncountedTool } from "../kit/resellers/vendor-tool-fields.ts";
import { isSearchModel } from "./web-search.ts";

/** Tools that the client runs. */
const ownTools: ReadonlySet<Json | undefined> = new Set([undefined, null, "function", "custom"]);

function find(body: JsonObject): readonly Surcharge[] {
  const list = new SurchargeList();
  const { modalities, tools } = body;
  findOpenaiSurcharges(body, list);
  if (Array.isArray(modalities) && modalities.includes("audio")) {
    list.add({
      kind: "audio",
      name: "audio",
      param: "modalities",
      paths: [["modalities"], ["audio"]],
    });
  }
  if (Array.isArray(tools)) {
    for (const [at, tool] of tools.entries()) {
      if (!isObject(tool) || ownTools.has(tool["type"])) continue;
      list.add(uncountedTool(`tool.${String(tool["type"])}`, ["tools", at]));
    }
  }
  list.hourMarks(hourMarks(body["messages"]));
  return list.all;
}

const noMarks: readonly FieldPath[] = [];

function hourMarks(messages: Json | undefined): readonly FieldPath[] {
  let marks: FieldPath[] | null = null;
  if (!Array.isArray(messages)) return noMarks;
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (!isObject(message) || !Array.isArray(message["content"])) continue;
    findHourMarks(message["content"], ["messages", at, "content"], (marks ??= []));
  }
  return marks ?? noMarks;
}

export const chatSurcharges: SurchargeSide = {
  find,
  note: noteOpenaiUse,
  search: (_asked, model) => (isSearchModel(model) ? find({ web_search_options: {} }) : []),
};
