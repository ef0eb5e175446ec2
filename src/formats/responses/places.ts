// The fields of a responses request as a vendor reads them.
import { declaration, schema, settings, sound } from "../kit/places/openai-places.ts";
import {
  addRows,
  every,
  objectWith,
  tagged,
  type Fields,
  type Table,
} from "../kit/places/place.ts";

const marks = every("type prompt_cache_breakpoint", "text");
const picture = objectWith({ ...marks, detail: "text", image_url: "picture", file_id: "id" });
const words = objectWith({ ...marks, ...every("text refusal", "text"), logprobs: "text" });

/** Citations quote what a vendor has read, and open nothing. */
const answer = objectWith({ ...marks, text: "text", annotations: "json", logprobs: "text" });

const content = tagged(
  {
    ...every("input_text refusal reasoning_text summary_text text", words),
    output_text: answer,
    input_image: picture,
    computer_screenshot: picture,
    input_file: objectWith({
      ...marks,
      ...every("detail filename", "text"),
      file_data: "data",
      file_url: "address",
      file_id: "id",
    }),
    input_audio: objectWith({ ...marks, input_audio: sound }),
  },
  { string: "text" },
);

const secret = objectWith(every("domain name value", "text"));
const network = {
  ...every("type memory_limit", "text"),
  network_policy: objectWith({ ...every("type allowed_domains", "text"), domain_secrets: secret }),
};

const skill = tagged(
  {
    skill_reference: objectWith({ type: "text", version: "text", skill_id: "skill" }),
    inline: objectWith({ ...every("type name description", "text"), source: "any" }),
  },
  { untagged: objectWith(every("name description path", "text")), unknown: "any" },
);

const place = objectWith(
  { ...network, container_id: "id", file_ids: "id", skills: skill },
  { string: "id" },
);

const mcp = objectWith({
  ...every("type server_label server_url server_description authorization", "text"),
  ...every("connector_id allowed_callers allowed_tools require_approval", "text"),
  headers: objectWith({}, { rest: "text" }),
});

const filters: Fields = objectWith(every("type key value", "text"));
addRows(filters.fields, { filters });

const namespace: Fields = objectWith(every("type name description", "text"));

/** A tool that is not known is paid for by the call, so that it is only looked through. */
const tools = tagged(
  {
    ...every("function custom tool_search", declaration),
    ...every("local_shell apply_patch programmatic_tool_calling computer computer_use", "text"),
    ...every("computer_use_preview web_search web_search_preview", "text"),
    namespace,
    mcp,
    file_search: objectWith({
      ...every("type ranking_options", "text"),
      filters,
      vector_store_ids: "id",
    }),
    code_interpreter: objectWith({ type: "text", allowed_callers: "text", container: place }),
    shell: objectWith({ type: "text", allowed_callers: "text", environment: place }),
    image_generation: objectWith({ input_image_mask: picture }),
  },
  { untagged: declaration, unknown: "any", version: /(?:_\d+)+$/ },
);
addRows(namespace.fields, { tools });

/** Fields that all items may have. */
const item = {
  ...every("type id status role phase call_id name namespace", "text"),
  ...every("caller encrypted_content output_format", "text"),
  tools,
};

function items(table: Table): Fields {
  return objectWith({ ...item, ...table });
}

const message = items({ content });

const patch = tagged(
  every("create_file update_file delete_file", objectWith(every("type path diff", "text"))),
);

export const responsesItems = tagged(
  {
    message,
    function_call: items({ arguments: "text" }),
    custom_tool_call: items({ input: "text" }),
    function_call_output: items({ output: content }),
    custom_tool_call_output: items({ output: content }),
    reasoning: items({ summary: content, content }),
    compaction: items({ summary: "text" }),
    compaction_summary: items({ summary: "text" }),
    compaction_trigger: items({}),
    item_reference: items({}),
    // Calls of the past tell what was done, and nothing is done by telling it.
    web_search_call: items({ action: "json" }),
    file_search_call: items({
      queries: "text",
      results: objectWith({ ...every("text filename attributes", "text"), file_id: "id" }),
    }),
    computer_call: items({
      action: "json",
      actions: objectWith(every("type text keys", "text")),
      pending_safety_checks: "text",
    }),
    computer_call_output: items({ output: content, acknowledged_safety_checks: "text" }),
    code_interpreter_call: items({
      container_id: "ran",
      code: "text",
      outputs: tagged({
        logs: objectWith(every("type logs", "text")),
        image: objectWith({ type: "text", url: "picture" }),
      }),
    }),
    image_generation_call: items({
      ...every("action background quality size revised_prompt error", "text"),
      result: "image",
    }),
    local_shell_call: items({ action: "json" }),
    local_shell_call_output: items({ output: "text" }),
    shell_call: items({
      action: "json",
      environment: tagged(
        {
          local: objectWith({ type: "text", skills: skill }),
          container_reference: objectWith({ type: "text", container_id: "ran" }),
        },
        { unknown: "any" },
      ),
    }),
    shell_call_output: items({
      output: objectWith(every("stdout stderr outcome", "text"), { string: "text" }),
    }),
    apply_patch_call: items({ operation: patch }),
    apply_patch_call_output: items({ output: "text" }),
    mcp_list_tools: objectWith({
      ...item,
      ...every("server_label error", "text"),
      tools: objectWith({
        ...every("name description", "text"),
        ...every("input_schema annotations", "json"),
      }),
    }),
    mcp_approval_request: items(every("arguments server_label", "text")),
    mcp_approval_response: items(every("approval_request_id reason", "text")),
    mcp_call: items(every("arguments server_label approval_request_id error output", "text")),
    tool_search_call: items({ arguments: "json", execution: "text" }),
    tool_search_output: items({ execution: "text" }),
    additional_tools: items({}),
    configuration_update: items({ reasoning: "text", text: objectWith({ format: schema }) }),
    program: items(every("code fingerprint", "text")),
    program_output: items({ result: "text" }),
  },
  { string: "text", untagged: message },
);

const variables = objectWith({}, { rest: content });

export const responsesPlaces = objectWith({
  ...settings,
  ...every("instructions previous_response_id include truncation", "text"),
  client_metadata: "json",
  text: objectWith({ verbosity: "text", format: schema }),
  // Its items are gone over one by one, because some are remembered here.
  input: "json",
  tools,
  prompt: objectWith({ id: "id", version: "text", variables }),
});
