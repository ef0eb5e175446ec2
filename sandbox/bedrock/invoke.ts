// InvokeModel with Anthropic's body, and how strictly it is read: a closed list of fields, no
// sources but bytes, no beta that the cloud does not know.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { BedrockRefusal } from "./errors.ts";

const knownFields = new Set([
  "anthropic_version",
  "max_tokens",
  "messages",
  "anthropic_beta",
  "system",
  "stop_sequences",
  "temperature",
  "top_p",
  "top_k",
  "tools",
  "tool_choice",
  "thinking",
  "metadata",
  "output_config",
  "safeguards",
  "context_management",
]);
const versions = new Set<Json | undefined>(["bedrock-2023-05-31", "2026-10-21"]);
const betaNames = [
  "context-1m",
  "computer-use",
  "context-management",
  "dangerous-tool-use",
  "thinking-binding-controls",
  "thinking-display-updates",
  "effort",
  "compact",
  "fine-grained-tool-streaming",
  "tool-search-tool",
];
const isKnownBeta = (beta: string) => betaNames.some((name) => beta.startsWith(`${name}-`));
const hostedTool = /^(?:web_search|web_fetch|code_execution)/;

interface InvokedBody {
  /** Body for Anthropic's own address. */
  body: JsonObject;
  headers: Record<string, string>;
}

export function readInvoke(body: JsonObject, model: string, isStream: boolean): InvokedBody {
  for (const name of Object.keys(body)) {
    if (!knownFields.has(name)) throw invalid(`${name}: Extra inputs are not permitted`);
  }
  const { anthropic_version: version, anthropic_beta: betas, ...rest } = body;
  if (!versions.has(version)) throw invalid("anthropic_version: Field required");
  refuseAnywhere(body["messages"]);
  refuseTools(body["tools"]);
  const list = Array.isArray(betas) ? betas.map(String) : [];
  if (!list.every(isKnownBeta)) throw invalid("invalid beta flag");
  const headers: Record<string, string> = {
    "anthropic-version": version === "2026-10-21" ? "2026-10-21" : "2023-06-01",
  };
  if (list.length > 0) headers["anthropic-beta"] = list.join(",");
  return { body: { ...rest, model, ...(isStream && { stream: true }) }, headers };
}

function refuseAnywhere(value: Json | undefined): void {
  if (typeof value !== "object" || value === null) return;
  const source = isObject(value) ? value["source"] : null;
  if (isObject(source) && (source["type"] === "url" || source["type"] === "file")) {
    throw invalid("source.type: Input should be 'base64'");
  }
  for (const inner of Object.values(value)) refuseAnywhere(inner);
}

function refuseTools(tools: Json | undefined): void {
  const list = Array.isArray(tools) ? tools.filter(isObject) : [];
  if (list.some(({ type }) => hostedTool.test(String(type))))
    throw invalid("tools: Input tag found");
  if (list.some((tool) => "eager_input_streaming" in tool)) {
    throw invalid("tools.0.custom.eager_input_streaming: Extra inputs are not permitted");
  }
}

function invalid(message: string): BedrockRefusal {
  return new BedrockRefusal(400, message);
}
