// How a vendor reads the fields of a responses request.
import { functionTools, settings, sound } from "../kit/places/openai-places.ts";
import { every, recordOf, tagged, type Fields, type Table } from "../kit/places/place.ts";

const marks = every("type prompt_cache_breakpoint", "text");
const picture = recordOf({ ...marks, detail: "text", image_url: "picture", file_id: "id" });
const words = recordOf({ ...marks, ...every("text refusal logprobs", "text") });

/** Citations quote what a vendor has read, and open nothing. */
const answer = recordOf({ ...marks, text: "text", annotations: "text", logprobs: "text" });

const content = tagged(
  {
    ...every("input_text refusal reasoning_text summary_text text", words),
    output_text: answer,
    input_image: picture,
    computer_screenshot: picture,
    input_file: recordOf({
      ...marks,
      ...every("detail filename", "text"),
      file_data: "data",
      file_url: "address",
      file_id: "id",
    }),
    input_audio: recordOf({ ...marks, input_audio: sound }),
  },
  { string: "text" },
);

const network = every("type memory_limit network_policy", "text");

const skill = tagged(
  {
    skill_reference: recordOf({ type: "text", version: "text", skill_id: "skill" }),
    inline: recordOf({ ...every("type name description", "text"), source: "any" }),
  },
  { untagged: "text", unknown: "any" },
);

const place = recordOf(
  { ...network, container_id: "id", file_ids: "id", skills: skill },
  { string: "id" },
);

const mcp = recordOf({
  ...every("type server_label server_url server_description headers", "text"),
  ...every("authorization connector_id allowed_tools require_approval", "text"),
  allowed_callers: "text",
});

const namespace: Fields = recordOf(every("type name description", "text"));

/** A tool that is not known is paid for by the call, so that it is only looked through. */
const tools = tagged(
  {
    ...functionTools,
    ...every("local_shell apply_patch tool_search programmatic_tool_calling", "text"),
    ...every("computer computer_use computer_use_preview", "text"),
    ...every("web_search web_search_preview", "text"),
    namespace,
    mcp,
    file_search: recordOf({
      ...every("type filters ranking_options", "text"),
      vector_store_ids: "id",
    }),
    code_interpreter: recordOf({ type: "text", allowed_callers: "text", container: place }),
    shell: recordOf({ type: "text", allowed_callers: "text", environment: place }),
    image_generation: recordOf({ input_image_mask: picture }),
  },
  { untagged: "text", unknown: "any", version: /(?:_\d+)+$/ },
);
namespace.fields.set("tools", tools);

/** What all items may have. */
const item = {
  ...every("type id status role phase call_id name namespace", "text"),
  ...every("caller encrypted_content output_format", "text"),
  tools,
};

function items(table: Table): Fields {
  return recordOf({ ...item, ...table });
}

const message = items({ content });

export const responsesItems = tagged(
  {
    message,
    function_call: items({ arguments: "text" }),
    custom_tool_call: items({ input: "text" }),
    function_call_output: items({ output: content }),
    custom_tool_call_output: items({ output: content }),
    reasoning: items({ summary: "text", content: "text" }),
    compaction: items({ summary: "text" }),
    compaction_summary: items({ summary: "text" }),
    compaction_trigger: items({}),
    item_reference: items({}),
    // Calls of the past tell what was done, and nothing is done by telling it.
    web_search_call: items({ action: "text" }),
    file_search_call: items({ queries: "text", results: "text" }),
    computer_call: items(every("action actions pending_safety_checks", "text")),
    computer_call_output: items({ output: content, acknowledged_safety_checks: "text" }),
    code_interpreter_call: items({
      container_id: "ran",
      code: "text",
      outputs: tagged({
        logs: recordOf(every("type logs", "text")),
        image: recordOf({ type: "text", url: "picture" }),
      }),
    }),
    image_generation_call: items({
      ...every("action background quality size revised_prompt error", "text"),
      result: "image",
    }),
    local_shell_call: items({ action: "text" }),
    local_shell_call_output: items({ output: "text" }),
    shell_call: items({
      action: "text",
      environment: recordOf({ type: "text", skills: "text", container_id: "ran" }),
    }),
    shell_call_output: items({ output: "text" }),
    apply_patch_call: items({ operation: "text" }),
    apply_patch_call_output: items({ output: "text" }),
    mcp_list_tools: recordOf({ ...item, ...every("server_label error tools", "text") }),
    mcp_approval_request: items(every("arguments server_label", "text")),
    mcp_approval_response: items(every("approval_request_id reason", "text")),
    mcp_call: items(every("arguments server_label approval_request_id error output", "text")),
    tool_search_call: items({ arguments: "text", execution: "text" }),
    tool_search_output: items({ execution: "text" }),
    additional_tools: items({}),
    configuration_update: items({ reasoning: "text", text: "text" }),
    program: items(every("code fingerprint", "text")),
    program_output: items({ result: "text" }),
  },
  { string: "text", untagged: message },
);

const variables = recordOf({}, { rest: content });

export const responsesPlaces = recordOf({
  ...settings,
  ...every("instructions previous_response_id text reasoning include", "text"),
  ...every("truncation client_metadata", "text"),
  // Its items are gone over one by one, because some are remembered here.
  input: "text",
  tools,
  prompt: recordOf({ id: "id", version: "text", variables }),
});
