// Fields of each wire that a vendor reads as text, as media, or as the id of something it keeps.
// The names of all fields and types come from the vendors' own types; what those do not have is
// unknown, and may bring as much as a model reads.
import { placeLists, type WireName } from "../generate/wire-places.ts";
import type { Shape } from "../places/parse-types.ts";
import { toSnake } from "./json.ts";

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Fields whose whole value is JSON that a model reads as text, or that only steers the vendor. */
const opaque: Readonly<Record<string, ReadonlySet<string>>> = {
  chat: words(`parameters json_schema metadata arguments reasoning_details annotations logit_bias
    tool_calls`),
  responses: words(`parameters output_schema schema metadata arguments action actions annotations
    attributes headers require_approval allowed_tools logit_bias logprobs network_policy
    format`),
  messages: words(`input input_schema metadata schema input_examples citations compaction
    diagnostics`),
  content: words(`args response parameters parameters_json_schema response_schema
    response_json_schema labels part_metadata`),
  completions: words("metadata logit_bias"),
};

/** Fields whose value is fetched, or is data. */
const media = new Set([
  "url",
  "uri",
  "image_url",
  "video_url",
  "audio_url",
  "file_url",
  "file_data",
  "inline_data",
  "file_uri",
  "data",
]);

/** Ids of what a vendor keeps for one of its accounts. */
const keptIds = new Set([
  "file_id",
  "file_ids",
  "container",
  "container_id",
  "vector_store_ids",
  "skill_id",
  "cached_content",
  "file_search_store_names",
  "rag_corpora",
  "rag_corpus",
  "rag_file_ids",
  "datastore",
  "data_store",
  "engine",
  "vector_store_id",
  "prompt_id",
  "conversation_id",
  "thread_id",
  "assistant_id",
  "tunnel_id",
  "api_key_secret",
  "api_key_secret_version",
  "credential_secret",
  "service_account",
  "previous_response_id",
  "user_profile_id",
  "conversation",
]);

/** Types whose addresses tell where something came from, and are not fetched again. */
const toldTypes = new Set([
  "web_search_result",
  "web_fetch_result",
  "search_result",
  "url_citation",
  "redacted_thinking",
]);

const dataHolders = words("input_audio file");

export type Role = "text" | "media" | "kept" | "structure" | "unknown";

interface WireNames {
  fields: ReadonlySet<string>;
  types: ReadonlySet<string>;
}

const namesByWire = new Map<WireName, WireNames>();

/** All names of fields that the vendor publishes, and all words of their `type`. */
function namesOf(wire: WireName): WireNames {
  const known = namesByWire.get(wire);
  if (known) return known;
  const fields = new Set<string>();
  const types = new Set<string>();
  for (const declared of Object.values(placeLists[wire].types)) {
    for (const [key, shape] of Object.entries(declared)) {
      const name = key.replace(/\?$/, "");
      fields.add(toSnake(name));
      if (name === "type") for (const word of literalsIn(shape)) types.add(word);
    }
  }
  const names = { fields, types };
  namesByWire.set(wire, names);
  return names;
}

function literalsIn(shape: Shape): string[] {
  if (typeof shape === "string") return [];
  if ("literal" in shape) return [String(shape.literal)];
  return "oneOf" in shape ? shape.oneOf.flatMap(literalsIn) : [];
}

export function isKnownType(wire: WireName, type: string): boolean {
  return namesOf(wire).types.has(type) || toldTypes.has(type);
}

/** Use that a vendor of the wire makes of a field in an object of this type. */
export function roleOf(wire: WireName, name: string, type: string): Role {
  const field = toSnake(name);
  if (field === "type" || (type === "text" && field === "data")) return "text";
  if (opaque[wire]?.has(field)) return "text";
  // A list of what a server once offered, which the model reads.
  if (type === "mcp_list_tools" && field === "tools") return "text";
  if (/^(?:embed|batch)/.test(wire) && opaque["content"]?.has(field)) return "text";
  if (keptIds.has(field)) return "kept";
  if (media.has(field)) return toldTypes.has(type) ? "text" : "media";
  if (type === "image_generation_call" && field === "result") return "media";
  // Some vendors take the data itself in the stead of the object around it.
  if (wire === "chat" && type === field && dataHolders.has(field)) return "media";
  return namesOf(wire).fields.has(field) ? "structure" : "unknown";
}
