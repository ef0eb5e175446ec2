// A prompt in the order in which the vendor reads it: tools, system, messages. Each segment has its
// tokens and the cache mark that may stand on it.
import { countTokens } from "../writer/tokens.ts";
import type { Block, CacheControl } from "./request/blocks.ts";
import type { CountBody } from "./request/schema.ts";
import type { Tool } from "./request/tool-schema.ts";

interface Segment {
  tokens: number;
  mark: CacheControl | null;
}

const mediaTokens = 85;

/** A mark on the whole request stands on its last segment. */
export function segmentsOf({ tools, system, messages, cacheControl }: CountBody): Segment[] {
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  const segments = [...tools.map(ofTool), ...blocks.map(ofBlock)];
  const last = segments.at(-1);
  if (last && cacheControl) last.mark = cacheControl;
  return segments;
}

function ofTool(tool: Tool): Segment {
  return { tokens: countTokens(JSON.stringify(tool)), mark: tool.cache_control ?? null };
}

function ofBlock(block: Block): Segment {
  const mark = "cache_control" in block ? (block.cache_control ?? null) : null;
  return { tokens: tokensOf(block), mark };
}

function tokensOf(block: Block): number {
  switch (block.type) {
    case "text":
      return countTokens(block.text);
    case "tool_use":
      return countTokens(block.name + JSON.stringify(block.input));
    case "tool_result":
    case "search_result":
      return block.content.reduce((sum, inner) => sum + tokensOf(inner), 0);
    case "document":
    case "image":
      return block.source.type === "text" ? countTokens(block.source.data) : mediaTokens;
    default:
      // Earlier thinking is not read again.
      return 0;
  }
}
