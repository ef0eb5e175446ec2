// The items that a client may send. What is not in these schemas is refused by name.
import { compile, type Static, Type } from "../../../src/core/schema.ts";
import { orNull } from "../schema.ts";
import { closed } from "./parts.ts";

const callId = Type.String({ minLength: 1, maxLength: 64 });
const toolName = Type.String({ pattern: "^[a-zA-Z0-9_-]{1,128}$" });
const kept = {
  id: orNull(Type.String()),
  status: orNull(Type.Enum(["in_progress", "completed", "incomplete"])),
};
const content = Type.Union([Type.String(), Type.Array(Type.Unknown())]);
const loose = { caller: Type.Optional(Type.Unknown()), async: Type.Optional(Type.Boolean()) };

const message = Type.Object(
  {
    ...kept,
    type: Type.Literal("message"),
    role: Type.Enum(["user", "assistant", "system", "developer"]),
    content,
    phase: orNull(Type.Enum(["commentary", "final_answer"])),
  },
  closed,
);
const call = Type.Object(
  {
    ...kept,
    ...loose,
    type: Type.Literal("function_call"),
    call_id: callId,
    name: toolName,
    arguments: Type.String(),
    namespace: Type.Optional(Type.String()),
  },
  closed,
);
const customCall = Type.Object(
  {
    ...kept,
    ...loose,
    type: Type.Literal("custom_tool_call"),
    call_id: callId,
    name: toolName,
    input: Type.String(),
    namespace: Type.Optional(Type.String()),
  },
  closed,
);
const result = Type.Object(
  {
    ...kept,
    ...loose,
    type: Type.Enum(["function_call_output", "custom_tool_call_output"]),
    call_id: callId,
    output: content,
  },
  closed,
);
const reasoning = Type.Object(
  {
    ...kept,
    type: Type.Literal("reasoning"),
    summary: Type.Array(
      Type.Object({ type: Type.Literal("summary_text"), text: Type.String() }, closed),
    ),
    content: orNull(Type.Array(Type.Unknown())),
    encrypted_content: orNull(Type.String()),
  },
  closed,
);
const compaction = Type.Object(
  {
    id: kept.id,
    type: Type.Literal("compaction"),
    encrypted_content: Type.String(),
    created_by: Type.Optional(Type.String()),
  },
  closed,
);
const additionalTools = Type.Object(
  {
    id: kept.id,
    type: Type.Literal("additional_tools"),
    role: Type.Literal("developer"),
    tools: Type.Array(Type.Unknown()),
  },
  closed,
);
const reference = Type.Object(
  { type: Type.Literal("item_reference"), id: Type.String({ minLength: 1 }) },
  closed,
);
const hostedTypes = [
  "file_search_call",
  "computer_call",
  "computer_call_output",
  "web_search_call",
  "tool_search_call",
  "tool_search_output",
  "image_generation_call",
  "code_interpreter_call",
  "local_shell_call",
  "local_shell_call_output",
  "shell_call",
  "shell_call_output",
  "apply_patch_call",
  "apply_patch_call_output",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "mcp_call",
] as const;
const hosted = Type.Object({ type: Type.Enum([...hostedTypes]), id: kept.id });

export type GivenMessage = Static<typeof message>;
export type GivenReasoning = Static<typeof reasoning>;
type GivenCompaction = Static<typeof compaction>;
type GivenReference = Static<typeof reference>;
export type GivenItem =
  | GivenMessage
  | Static<typeof call>
  | Static<typeof customCall>
  | Static<typeof result>
  | GivenReasoning
  | GivenCompaction
  | GivenReference
  | Static<typeof additionalTools>
  | Static<typeof hosted>;

const resultChecker = compile(result);
const hostedChecker = compile(hosted);

export const itemKinds = {
  message: compile(message),
  function_call: compile(call),
  custom_tool_call: compile(customCall),
  function_call_output: resultChecker,
  custom_tool_call_output: resultChecker,
  reasoning: compile(reasoning),
  compaction: compile(compaction),
  additional_tools: compile(additionalTools),
  item_reference: compile(reference),
  ...Object.fromEntries(hostedTypes.map((type) => [type, hostedChecker])),
};
