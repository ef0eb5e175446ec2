// Content blocks of a request, as strictly as the vendor takes them.
import { type Static, Type } from "../../../src/core/schema.ts";
import { closed, orNull, reader, type Reader, readList, readTagged, type Readers } from "./read.ts";
import { documentSources, imageSources, type Source } from "./sources.ts";

export const cacheControl = Type.Object(
  { type: Type.Literal("ephemeral"), ttl: Type.Optional(Type.Enum(["5m", "1h"])) },
  closed,
);
export type CacheControl = Static<typeof cacheControl>;

const marked = { cache_control: orNull(cacheControl) };
const citations = { citations: orNull(Type.Object({ enabled: Type.Boolean() }, closed)) };
const toolId = Type.String({ pattern: "^[a-zA-Z0-9_-]+$" });
export const toolName = Type.String({ pattern: "^[a-zA-Z0-9_-]{1,128}$" });

const text = Type.Object(
  {
    ...marked,
    type: Type.Literal("text"),
    text: Type.String(),
    citations: orNull(Type.Array(Type.Unknown())),
  },
  closed,
);
export type TextBlock = Static<typeof text>;
export const readText = reader(text);

const thinking = Type.Object(
  { type: Type.Literal("thinking"), thinking: Type.String(), signature: Type.String() },
  closed,
);
const redacted = Type.Object(
  { type: Type.Literal("redacted_thinking"), data: Type.String() },
  closed,
);

const toolUse = Type.Object(
  {
    ...marked,
    type: Type.Literal("tool_use"),
    id: toolId,
    name: toolName,
    input: Type.Record(Type.String(), Type.Unknown()),
    caller: Type.Optional(Type.Object({ type: Type.String() })),
    toolset_name: orNull(Type.String()),
  },
  closed,
);
export type ToolUseBlock = Static<typeof toolUse>;

const toolResult = Type.Object(
  {
    ...marked,
    type: Type.Literal("tool_result"),
    tool_use_id: toolId,
    content: Type.Optional(Type.Unknown()),
    is_error: Type.Optional(Type.Boolean()),
    toolset_name: orNull(Type.String()),
  },
  closed,
);

const image = Type.Object(
  {
    ...marked,
    type: Type.Literal("image"),
    source: Type.Unknown(),
    transformations: orNull(Type.Object({})),
  },
  closed,
);

const document = Type.Object(
  {
    ...marked,
    ...citations,
    type: Type.Literal("document"),
    source: Type.Unknown(),
    title: orNull(Type.String()),
    context: orNull(Type.String()),
  },
  closed,
);

const searchResult = Type.Object(
  {
    ...marked,
    ...citations,
    type: Type.Literal("search_result"),
    source: Type.String(),
    title: Type.String(),
    content: Type.Array(text),
  },
  closed,
);

export type MediaBlock = Omit<Static<typeof image> | Static<typeof document>, "source"> & {
  source: Source;
  title?: string | null;
};
export type ToolResultBlock = Omit<Static<typeof toolResult>, "content"> & { content: Block[] };
/** A part of what the vendor's own tools did; taken unread. */
interface ServerBlock {
  type: "server";
}

const serverTypes = [
  "server_tool_use web_search_tool_result web_fetch_tool_result code_execution_tool_result",
  "bash_code_execution_tool_result text_editor_code_execution_tool_result",
  "tool_search_tool_result container_upload mcp_tool_use mcp_tool_result",
].flatMap((names) => names.split(" "));

function readServer(): ServerBlock {
  return { type: "server" };
}

export type Block =
  | TextBlock
  | MediaBlock
  | ToolUseBlock
  | ToolResultBlock
  | Static<typeof thinking>
  | Static<typeof redacted>
  | Static<typeof searchResult>
  | ServerBlock;

function withSource(
  read: Reader<Omit<MediaBlock, "source"> & { source: unknown }>,
  sources: Readers<Source>,
): Reader<Block> {
  return (json, path) => {
    const block = read(json, path);
    return { ...block, source: readTagged(sources, block.source, `${path}.source`) };
  };
}

const mediaReaders: Readers<Block> = {
  text: readText,
  image: withSource(reader(image), imageSources),
  document: withSource(reader(document), documentSources),
  search_result: reader(searchResult),
};
const resultReaders: Readers<Block> = { ...mediaReaders, tool_reference: readServer };

const readToolResult = reader(toolResult);

const blockReaders: Readers<Block> = {
  ...mediaReaders,
  thinking: reader(thinking),
  redacted_thinking: reader(redacted),
  tool_use: reader(toolUse),
  tool_result: (json, path) => {
    const block = readToolResult(json, path);
    const content = readContent(resultReaders, block.content ?? [], `${path}.content`);
    return { ...block, content };
  },
  ...Object.fromEntries(serverTypes.map((name) => [name, readServer])),
};

/** A text in place of blocks is one block. */
function readContent(readers: Readers<Block>, json: unknown, path: string): Block[] {
  if (typeof json === "string") return json === "" ? [] : [{ type: "text", text: json }];
  return readList((item, at) => readTagged(readers, item, at), json, path);
}

export const readBlocks: Reader<Block[]> = (json, path) => readContent(blockReaders, json, path);
