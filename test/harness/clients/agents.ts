// Requests of coding agents: the first request of a conversation, and the next one with a call that
// another vendor's model made, and its result.
import type { JsonObject } from "../../../src/core/json.ts";

interface AgentAsk {
  path: string;
  body: JsonObject;
}

type Agent = (model: string, turn: "first" | "second") => AgentAsk;

const schema = { type: "object", properties: { command: { type: "string" } } };
const otherId = "functions.Bash:0";
const longId = `user_${"0123456789abcdef".repeat(4)}_account__session_0123456789`;

const claudeCode: Agent = (model, turn) => {
  const cached = { cache_control: { type: "ephemeral" } };
  const messages: JsonObject[] = [{ role: "user", content: [{ type: "text", text: "List." }] }];
  if (turn === "second") {
    const call = { type: "tool_use", id: otherId, name: "Bash", input: { command: "ls" } };
    const result = { type: "tool_result", tool_use_id: otherId, content: "a.txt", ...cached };
    messages.push({ role: "assistant", content: [call] }, { role: "user", content: [result] });
  }
  const body = {
    model,
    max_tokens: 32_000,
    stream: true,
    temperature: 1,
    system: [{ type: "text", text: "You are an agent.", ...cached }],
    thinking: { type: "adaptive" },
    metadata: { user_id: longId },
    tools: [{ name: "Bash", description: "Runs.", input_schema: schema }],
    messages,
  };
  return { path: "/v1/messages", body };
};

const codex: Agent = (model, turn) => {
  const input: JsonObject[] = [
    { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "List." }] },
  ];
  if (turn === "second") {
    const call = { name: "shell", arguments: '{"command":"ls"}', call_id: otherId };
    input.push(
      { type: "function_call", id: "call_1", ...call },
      { type: "function_call_output", call_id: otherId, output: "a.txt" },
    );
  }
  const body = {
    model,
    instructions: "You are an agent.",
    input,
    tools: [{ type: "function", name: "shell", parameters: schema, strict: false }],
    tool_choice: "auto",
    parallel_tool_calls: false,
    reasoning: { effort: "medium", summary: "auto" },
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: longId,
    store: false,
    stream: true,
  };
  return { path: "/v1/responses", body };
};

const geminiCli: Agent = (model, turn) => {
  const contents: JsonObject[] = [{ role: "user", parts: [{ text: "List." }] }];
  if (turn === "second") {
    const call = { id: otherId, name: "run", args: { command: "ls" } };
    const result = { id: otherId, name: "run", response: { output: "a.txt" } };
    contents.push(
      { role: "model", parts: [{ functionCall: call }] },
      { role: "user", parts: [{ functionResponse: result }] },
    );
  }
  const body = {
    systemInstruction: { role: "user", parts: [{ text: "You are an agent." }] },
    contents,
    tools: [{ functionDeclarations: [{ name: "run", parametersJsonSchema: schema }] }],
    generationConfig: {
      temperature: 1,
      topP: 0.95,
      topK: 64,
      thinkingConfig: { includeThoughts: true, thinkingBudget: -1 },
    },
  };
  return { path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`, body };
};

export const agentAsks: Readonly<Record<string, Agent>> = {
  "Claude Code": claudeCode,
  Codex: codex,
  "Gemini CLI": geminiCli,
};
