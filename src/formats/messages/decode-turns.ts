// The conversation as a messages client writes it. The body was checked before.
import type { JsonObject } from "../../core/json.ts";
import type { CallPart, Part, TextPart, Turn } from "../exchange.ts";
import { openProof } from "../kit/proof.ts";
import { searchText } from "../kit/web-search.ts";
import { decodeContent, decodeContentBlock } from "./decode-content.ts";
import { isToolChange } from "./tool-changes.ts";
import { readCache } from "./wire/cache.ts";
import { readObjects, readText } from "../kit/fields.ts";
import { readCarrier, type CarriedProof } from "./wire/proof-slot.ts";
import { isSearchCall, SearchReader } from "./wire/web-search.ts";

/** Names of what is left out are added to `ignored`. */
export function decodeTurns(messages: unknown, ignored: string[]): Turn[] {
  return readObjects(messages).map(({ role, content }, index) => ({
    role: role === "assistant" || role === "system" ? role : "user",
    parts: decodeParts(content, `messages.${index}.content`, ignored),
  }));
}

function decodeParts(content: unknown, at: string, ignored: string[]): Part[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  const parts: Part[] = [];
  const searches = new SearchReader();
  const carried: { proof: CarriedProof; before: number }[] = [];
  for (const [index, block] of readObjects(content).entries()) {
    const proof = readCarrier(block);
    // They are read where the tools are.
    if (isToolChange(block["type"])) continue;
    if (proof) carried.push({ proof, before: parts.length });
    else if (isSearchCall(block)) searches.read(block);
    else {
      const search = decodeSearch(searches, block);
      parts.push(...(search ?? decodeBlock(block, `${at}.${index}`, ignored)));
    }
  }
  for (const { proof, before } of carried) attach(parts, proof, before);
  return parts;
}

/** A search is told with what it found; null for what is none, or cannot be told. */
function decodeSearch(searches: SearchReader, block: JsonObject): Part[] | null {
  const search = searches.read(block);
  const text = search && searchText(search);
  return text === null ? null : [{ kind: "text", text }];
}

function attach(parts: readonly Part[], { proof, isBehind }: CarriedProof, before: number): void {
  const isMeant = (part: Part): part is CallPart | TextPart => part.kind === proof.on;
  const owner = isBehind
    ? parts.slice(0, before).findLast(isMeant)
    : parts.slice(before).find(isMeant);
  if (owner) owner.proof = proof;
}

function decodeBlock(block: JsonObject, at: string, ignored: string[]): Part[] {
  switch (block["type"]) {
    case "thinking":
      return decodeThinking(block);
    case "redacted_thinking": {
      const data = readText(block["data"]) ?? "";
      const proof = openProof(data, "messages");
      return data === "" ? [] : [{ kind: "reasoning", text: "", proof, isRedacted: true }];
    }
    case "tool_use":
      return [decodeCall(block)];
    case "tool_result":
      return [
        {
          kind: "result",
          callId: readText(block["tool_use_id"]) ?? "",
          name: null,
          content: decodeContent(block["content"], `${at}.content`, ignored),
          isError: block["is_error"] === true,
          isCustom: false,
          ...readCache(block),
        },
      ];
    default:
      return decodeContentBlock(block, at, ignored);
  }
}

function decodeThinking(block: JsonObject): Part[] {
  const text = readText(block["thinking"]) ?? "";
  const signature = readText(block["signature"]) ?? "";
  const proof = signature === "" ? null : openProof(signature, "messages");
  return text === "" && !proof ? [] : [{ kind: "reasoning", text, proof, isRedacted: false }];
}

function decodeCall(block: JsonObject): CallPart {
  return {
    kind: "call",
    id: readText(block["id"]) ?? "",
    name: readText(block["name"]) ?? "",
    input: JSON.stringify(block["input"] ?? {}),
    isCustom: false,
    ...readCache(block),
  };
}
