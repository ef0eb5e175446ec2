// The fields of a messages request as a vendor reads them.
import {
  addRows,
  every,
  objectWith,
  tagged,
  type Fields,
  type Table,
  type Tagged,
} from "../kit/places/place.ts";

const marks = every("type cache_control caller is_error toolset_name", "text");

function block(table: Table): Fields {
  return objectWith({ ...marks, ...table });
}

/** Blocks stand in blocks, as one or as a list; a text stands for one of text. */
const blocks: Tagged = tagged({}, { string: "text" });

const base64 = every("type media_type", "text");
const kept = objectWith({ type: "text", file_id: "id" });
const text = objectWith({ ...base64, data: "text" });
const inBlocks = objectWith({ type: "text", content: blocks });

const pictureSource = tagged({
  base64: objectWith({ ...base64, data: "image" }),
  url: objectWith({ type: "text", url: "picture" }),
  file: kept,
  text,
  content: inBlocks,
});

const documentSource = tagged({
  base64: objectWith({ ...base64, data: "data" }),
  url: objectWith({ type: "text", url: "address" }),
  file: kept,
  text,
  content: inBlocks,
});

const call = block({ ...every("id name server_name", "text"), input: "json" });
const output = objectWith({ type: "text", file_id: "id" });

/** Result of a vendor's tool, which a client repeats or makes up. */
const ran = objectWith({
  ...every("type stdout stderr encrypted_stdout return_code", "text"),
  content: tagged({ code_execution_output: output, bash_code_execution_output: output }),
});

const viewed = tagged(
  { text: objectWith(every("type file_type content", "text")) },
  { by: "file_type", untagged: objectWith(every("type content", "text")) },
);

const vendorResults = [
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "advisor_tool_result",
  "tool_search_tool_result",
];

const toolOutput = tagged(
  {
    ...every("code_execution_result bash_code_execution_result", ran),
    encrypted_code_execution_result: ran,
    text_editor_code_execution_view_result: viewed,
    ...every("text_editor_code_execution_create_result", objectWith({ type: "text" })),
    text_editor_code_execution_str_replace_result: objectWith(every("type lines", "text")),
    web_search_result: objectWith(every("type url title encrypted_content page_age", "text")),
    web_fetch_result: objectWith({
      ...every("type url retrieved_at", "text"),
      content: blocks,
    }),
    ...every(
      "advisor_result advisor_redacted_result",
      objectWith(every("type text encrypted_content stop_reason", "text")),
    ),
    tool_search_tool_search_result: objectWith(every("type tool_references", "text")),
    ...every(
      vendorResults.map((name) => `${name}_error`).join(" "),
      objectWith(every("type error_code error_message", "text")),
    ),
  },
  { string: "text" },
);

const vendorResult = block({ tool_use_id: "text", content: toolOutput });

const declaration = block({
  ...every("name description mcp_server_name allowed_domains blocked_domains model", "text"),
  ...every("input_schema input_examples", "json"),
});
/** Tool that a tool server offers. */
const listed = objectWith({ ...every("name description", "text"), input_schema: "json" });
addRows(declaration.fields, { tools: listed });

/** Tools are told by their type, less its date; one of the client's has a schema. */
const tools = tagged(
  every(
    `custom function bash text_editor computer memory web_search web_fetch code_execution advisor
    mcp_toolset tool_search_tool_regex tool_search_tool_bm25 browser_toolset computer_toolset`,
    declaration,
  ),
  { untagged: declaration, unknown: "any", version: /_\d{8}$/ },
);

const change = block({
  tool: tagged({
    tool_definition: objectWith({ type: "text", definition: tools }),
    ...every("tool_reference mcp_tool_reference mcp_toolset_reference", "text"),
  }),
});
const changes = tagged({ tool_addition: change, tool_removal: change });

const tab = objectWith(every("tab_id title url", "text"));
const stateChange = tagged(
  every(
    "tab_opened download_started download_completed download_failed",
    objectWith(every("type tab_id download_id url path error", "text")),
  ),
  { unknown: "any" },
);

const known: Table = {
  text: block({ text: "text", citations: "json" }),
  image: block({ source: pictureSource, transformations: "text" }),
  document: block({
    ...every("title context citations", "text"),
    source: documentSource,
  }),
  search_result: block({ ...every("source title citations", "text"), content: blocks }),
  thinking: block(every("thinking signature", "text")),
  redacted_thinking: block({ data: "text" }),
  ...every("tool_use server_tool_use mcp_tool_use", call),
  ...every("tool_result mcp_tool_result", block({ tool_use_id: "text", content: blocks })),
  ...every(vendorResults.join(" "), vendorResult),
  tool_reference: block({ tool_name: "text" }),
  // A model reads addresses of tabs as text, and nobody opens them.
  browser_state: block({ tabs: tab, state_changes: stateChange }),
  container_upload: block({ file_id: "id" }),
  ...every("tool_addition tool_removal", change),
  compaction: block({
    ...every("encrypted_content signature", "text"),
    content: blocks,
    tool_changes: changes,
  }),
  mcp_tool_listing: block({ mcp_server_name: "text", tools: listed }),
  fallback: block(every("from to trigger", "text")),
};
addRows(blocks.types, known);

const format = objectWith({ type: "text", schema: "json" });

const edits = tagged(
  every("clear_tool_uses clear_thinking compact", objectWith(every("type instructions", "text"))),
  { unknown: "any", version: /_\d+$/ },
);

/** Those of the vendor itself are everybody's. */
const skill = tagged(
  { anthropic: objectWith(every("type skill_id version", "text")) },
  { unknown: "any" },
);

export const messagesPlaces = objectWith({
  ...every("model stop_sequences effort service_tier speed inference_geo", "text"),
  ...every("anthropic_beta anthropic_version betas", "text"),
  metadata: "json",
  output_config: objectWith({ effort: "text", format }),
  output_format: format,
  compaction: objectWith(every("type instructions", "text")),
  context_management: objectWith({ edits }),
  diagnostics: "text",
  mcp_servers: objectWith(every("type url name authorization_token", "text")),
  system: blocks,
  messages: objectWith({
    ...every("role clear_at output_config", "text"),
    content: blocks,
  }),
  tools,
  container: objectWith({ id: "id", skills: skill }, { string: "id" }),
});
