// A body of Converse in the words of Anthropic's wire, whose model of the sandbox answers it. The
// vendor's own rules are checked on the way.
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { BedrockRefusal } from "./errors.ts";

const fields = new Set([
  "messages",
  "system",
  "inferenceConfig",
  "toolConfig",
  "outputConfig",
  "additionalModelRequestFields",
  "additionalModelResponseFieldPaths",
  "guardrailConfig",
  "performanceConfig",
  "serviceTier",
  "requestMetadata",
]);

export function toMessages(body: JsonObject, model: string): JsonObject {
  for (const name of Object.keys(body)) {
    if (!fields.has(name)) throw invalid(`${name}: extraneous key is not permitted`);
  }
  const inference = objectIn(body, "inferenceConfig");
  const own = objectIn(body, "additionalModelRequestFields");
  const { textFormat, effort } = objectIn(body, "outputConfig");
  const system = listIn(body, "system").flatMap(toBlocks);
  const output = { ...(effort && { effort }), ...formatOf(textFormat) };
  return {
    model,
    max_tokens: inference["maxTokens"] ?? 4096,
    messages: listIn(body, "messages").map(toMessage),
    ...(system.length > 0 && { system }),
    ...present({ temperature: inference["temperature"], top_p: inference["topP"] }),
    ...present({ stop_sequences: inference["stopSequences"] }),
    ...present({ thinking: own["thinking"], top_k: own["top_k"] }),
    ...toolsOf(objectIn(body, "toolConfig")),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  };
}

function formatOf(textFormat: Json | undefined): JsonObject {
  if (!isObject(textFormat)) return {};
  const { schema } = objectIn(objectIn(textFormat, "structure"), "jsonSchema");
  if (typeof schema !== "string") throw invalid("jsonSchema.schema: must be a string");
  return { format: { type: "json_schema", schema: JSON.parse(schema) as Json } };
}

function toolsOf(config: JsonObject): JsonObject {
  if (Object.keys(config).length === 0) return {};
  const tools = listIn(config, "tools").flatMap((tool) => {
    const { name, description, inputSchema } = objectIn(tool, "toolSpec");
    if (name === undefined) return [];
    if (description === "") throw invalid("toolSpec.description: must not be empty");
    const schema = isObject(inputSchema) ? inputSchema["json"] : undefined;
    return [{ ...present({ name, description }), input_schema: schema ?? {} }];
  });
  if (tools.length === 0) throw invalid("toolConfig.tools: must have at least one");
  return { tools, ...choiceOf(config["toolChoice"]) };
}

function choiceOf(choice: Json | undefined): JsonObject {
  if (!isObject(choice)) return {};
  const { tool } = choice;
  if (isObject(tool)) return { tool_choice: { type: "tool", name: tool["name"] ?? "" } };
  return { tool_choice: { type: "any" in choice ? "any" : "auto" } };
}

function toMessage({ role, content }: JsonObject): JsonObject {
  const blocks = Array.isArray(content) ? content.filter(isObject).flatMap(toBlocks) : [];
  if (blocks.length === 0) throw invalid("messages.content: must not be empty");
  const documents = blocks.filter(({ type }) => type === "document");
  const isBare = documents.length > 0 && !blocks.some(({ type }) => type === "text");
  if (isBare) throw invalid("A text block is required beside a document.");
  return { role: role ?? "user", content: blocks };
}

/** A mark of the cache belongs to the block before it, where this wire has its own. */
function toBlocks(block: JsonObject): JsonObject[] {
  const { text, image, document, toolUse, toolResult, reasoningContent } = block;
  if (typeof text === "string") {
    if (text.trim() === "") throw invalid("The text field in a content block is blank.");
    return [{ type: "text", text }];
  }
  if (isObject(image)) return [{ type: "image", source: bytesOf(image, "image") }];
  if (isObject(document)) return [toDocument(document)];
  if (isObject(toolUse)) {
    const { toolUseId: id = "", name = "", input = {} } = toolUse;
    return [{ type: "tool_use", id, name, input }];
  }
  if (isObject(toolResult)) return [toResult(toolResult)];
  return isObject(reasoningContent) ? [toThinking(reasoningContent)] : [];
}

function toThinking({ reasoningText, redactedContent }: JsonObject): JsonObject {
  if (redactedContent !== undefined) return { type: "redacted_thinking", data: redactedContent };
  const { text = "", signature = "" } = isObject(reasoningText) ? reasoningText : {};
  return { type: "thinking", thinking: text, signature };
}

function toResult({ toolUseId = "", content, status }: JsonObject): JsonObject {
  const blocks = Array.isArray(content) ? content.filter(isObject).flatMap(toBlocks) : [];
  const result = { type: "tool_result", tool_use_id: toolUseId, content: blocks };
  return status === "error" ? { ...result, is_error: true } : result;
}

function toDocument(document: JsonObject): JsonObject {
  const { name, format } = document;
  if (typeof name !== "string" || !/^[A-Za-z0-9\-()[\]]+(?: [A-Za-z0-9\-()[\]]+)*$/.test(name)) {
    throw invalid("The document file name can only contain certain characters.");
  }
  const { text } = objectIn(document, "source");
  const source =
    format === "pdf"
      ? bytesOf(document, "application")
      : { type: "text", media_type: "text/plain", data: text ?? "document" };
  return { type: "document", title: name, source };
}

function bytesOf(holder: JsonObject, kind: string): JsonObject {
  const { bytes } = objectIn(holder, "source");
  if (typeof bytes !== "string") throw invalid(`${kind}.source: must have bytes`);
  return { type: "base64", media_type: `${kind}/${String(holder["format"])}`, data: bytes };
}

function objectIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name];
  return isObject(value) ? value : {};
}

function listIn(holder: JsonObject, name: string): JsonObject[] {
  const value = holder[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function present(values: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function invalid(message: string): BedrockRefusal {
  return new BedrockRefusal(400, message);
}
