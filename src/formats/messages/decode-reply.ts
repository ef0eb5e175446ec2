// A whole reply of a messages upstream.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Reply, ReplyPart } from "../exchange.ts";
import { answerTool, restoreStop } from "../kit/claude/structured-output.ts";
import { readStopReason } from "./stop-reason.ts";
import { readMessagesUsage } from "./usage.ts";
import { readCitation } from "./wire/citation.ts";
import { readObjects, readText } from "../kit/fields.ts";
import { SearchReader } from "./wire/web-search.ts";

export function decodeReply(body: unknown): Reply | null {
  if (!isObject(body) || !Array.isArray(body["content"])) return null;
  const blocks = readObjects(body["content"]);
  const searches = new SearchReader();
  const parts = blocks.flatMap((block) => {
    const search = searches.read(block);
    return search ? [search] : decodeBlock(block);
  });
  const stop = restoreStop(
    readStopReason(body["stop_reason"]),
    blocks.some(isAnswer),
    parts.some(({ kind }) => kind === "call"),
  );
  return {
    id: readText(body["id"]),
    choices: [{ parts, stop, stopSequence: readText(body["stop_sequence"]) }],
    usage: readMessagesUsage(body["usage"]),
  };
}

function isAnswer({ type, name }: JsonObject): boolean {
  return type === "tool_use" && name === answerTool;
}

/** Leave out the work of the vendor's other tools; the texts that were made of it stay. */
function decodeBlock(block: JsonObject): ReplyPart[] {
  switch (block["type"]) {
    case "text":
      return decodeText(block);
    case "thinking": {
      const signature = readText(block["signature"]) ?? "";
      const proof = signature === "" ? null : ({ dialect: "messages", data: signature } as const);
      const text = readText(block["thinking"]) ?? "";
      return [{ kind: "reasoning", text, proof, isRedacted: false }];
    }
    case "redacted_thinking": {
      const data = readText(block["data"]) ?? "";
      if (data === "") return [];
      const proof = { dialect: "messages", data } as const;
      return [{ kind: "reasoning", text: "", proof, isRedacted: true }];
    }
    case "tool_use":
      return [decodeCall(block)];
    default:
      return [];
  }
}

function decodeText(block: JsonObject): ReplyPart[] {
  const text = readText(block["text"]) ?? "";
  if (text === "") return [];
  const citations = readObjects(block["citations"]).map(readCitation);
  return [citations.length === 0 ? { kind: "text", text } : { kind: "text", text, citations }];
}

function decodeCall(block: JsonObject): ReplyPart {
  const input = JSON.stringify(block["input"] ?? {});
  if (isAnswer(block)) return { kind: "text", text: input };
  return {
    kind: "call",
    id: readText(block["id"]) ?? "",
    name: readText(block["name"]) ?? "",
    input,
    isCustom: false,
  };
}
