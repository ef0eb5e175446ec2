// A request's body: its fields by their own names on the wire, read into what the sandbox goes by.
import { type Static, Type } from "../../../src/core/schema.ts";
import {
  type Block,
  type CacheControl,
  cacheControl,
  readBlocks,
  readText,
  type TextBlock,
} from "./blocks.ts";
import { invalid } from "../errors.ts";
import { closed, orNull, reader, readList, readObject, readTagged } from "./read.ts";
import { readThinking, type Thinking } from "./thinking-schema.ts";
import { readTool, readToolChoice, type Tool, type ToolChoice } from "./tool-schema.ts";

/** Headers that decide how the body is read. */
export interface Wire {
  /** The version that has done away with the sampling parameters. */
  isNewest: boolean;
  /** Instructions may stand in the middle of the conversation. */
  hasSystemTurns: boolean;
  hasBetas: boolean;
}

export interface Message {
  role: "user" | "assistant" | "system";
  content: Block[];
}

const outputConfig = Type.Object(
  {
    effort: orNull(Type.Enum(["low", "medium", "high", "xhigh", "max"])),
    format: orNull(
      Type.Object(
        {
          type: Type.Literal("json_schema"),
          schema: Type.Record(Type.String(), Type.Unknown()),
        },
        closed,
      ),
    ),
  },
  closed,
);

const countFields = {
  model: Type.String({ minLength: 1 }),
  messages: Type.Array(Type.Unknown(), { minItems: 1 }),
  system: Type.Optional(Type.Unknown()),
  tools: Type.Optional(Type.Unknown()),
  tool_choice: Type.Optional(Type.Unknown()),
  thinking: Type.Optional(Type.Unknown()),
  output_config: Type.Optional(outputConfig),
  cache_control: orNull(cacheControl),
  speed: orNull(Type.Enum(["standard", "fast"])),
  user_profile_id: Type.Optional(Type.String()),
  workspace_id: Type.Optional(Type.String()),
};

const sampling = {
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  top_k: Type.Optional(Type.Integer({ minimum: 0 })),
};

const messagesFields = {
  ...countFields,
  ...sampling,
  /** Zero fills the cache and writes nothing. */
  max_tokens: Type.Integer({ minimum: 0 }),
  stop_sequences: Type.Optional(Type.Array(Type.String())),
  stream: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(Type.Object({ user_id: orNull(Type.String()) }, closed)),
  service_tier: Type.Optional(Type.Enum(["auto", "standard_only"])),
  container: Type.Optional(Type.Unknown()),
  inference_geo: orNull(Type.String()),
  diagnostics: Type.Optional(Type.Unknown()),
};

/** Known only to clients that ask for a beta. */
const betaNames = ["context_management", "mcp_servers"];

const readCountFields = reader(Type.Object(countFields));
const readMessagesFields = reader(Type.Object(messagesFields));
const readRole = reader(
  Type.Object(
    { role: Type.Enum(["user", "assistant", "system"]), content: Type.Unknown() },
    closed,
  ),
);

type MessagesFields = Static<ReturnType<typeof Type.Object<typeof messagesFields>>>;

/** Fields that both endpoints take. */
export interface CountBody {
  model: string;
  messages: Message[];
  system: TextBlock[];
  tools: Tool[];
  toolChoice: ToolChoice | null;
  thinking: Thinking | null;
  output: Static<typeof outputConfig>;
  cacheControl: CacheControl | null;
}

export interface MessagesBody extends CountBody {
  maxTokens: number;
  stopSequences: string[];
  isStream: boolean;
  sampling: Pick<MessagesFields, "temperature" | "top_p" | "top_k">;
}

export function parseCount(json: unknown, wire: Wire): CountBody {
  checkNames(json, Object.keys(countFields), wire);
  return readParts(readCountFields(json, ""), wire);
}

export function parseMessages(json: unknown, wire: Wire): MessagesBody {
  const names = Object.keys(messagesFields);
  const gone = wire.isNewest ? Object.keys(sampling) : [];
  checkNames(
    json,
    names.filter((name) => !gone.includes(name)),
    wire,
  );
  const fields = readMessagesFields(json, "");
  return {
    ...readParts(fields, wire),
    maxTokens: fields.max_tokens,
    stopSequences: fields.stop_sequences ?? [],
    isStream: fields.stream === true,
    sampling: fields,
  };
}

function checkNames(json: unknown, names: readonly string[], { hasBetas }: Wire): void {
  const known = new Set([...names, ...(hasBetas ? betaNames : [])]);
  const unknown = Object.keys(readObject(json, "body")).find((name) => !known.has(name));
  if (unknown !== undefined) throw invalid(unknown, "Extra inputs are not permitted");
}

function readParts(fields: ReturnType<typeof readCountFields>, wire: Wire): CountBody {
  const { model, system = [], tools = [], tool_choice: choice, thinking } = fields;
  return {
    model,
    messages: readList((json, path) => readMessage(json, path, wire), fields.messages, "messages"),
    system: readSystem(system),
    tools: readList(readTool, tools, "tools"),
    toolChoice: choice === undefined ? null : readToolChoice(choice, "tool_choice"),
    thinking: thinking === undefined ? null : readThinking(thinking, "thinking"),
    output: fields.output_config ?? {},
    cacheControl: fields.cache_control ?? null,
  };
}

function readSystem(system: unknown): TextBlock[] {
  if (typeof system === "string") return system === "" ? [] : [{ type: "text", text: system }];
  return readList((json, path) => readTagged({ text: readText }, json, path), system, "system");
}

function readMessage(json: unknown, path: string, { hasSystemTurns }: Wire): Message {
  const { role, content } = readRole(json, path);
  if (role === "system" && !hasSystemTurns) {
    throw invalid(`${path}.role`, "Input should be 'user' or 'assistant'");
  }
  return { role, content: readBlocks(content, `${path}.content`) };
}
