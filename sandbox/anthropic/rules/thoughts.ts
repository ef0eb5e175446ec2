// Thinking of earlier turns: only what this vendor signed comes back, and a turn that waits for its
// tools comes back with it.
import type { Block } from "../request/blocks.ts";
import { invalid } from "../errors.ts";
import type { CountBody, Message } from "../request/schema.ts";
import { isRedaction, isSigned } from "../thoughts.ts";

export function checkThoughts({ messages, thinking }: CountBody): void {
  messages.forEach(({ content }, at) => {
    content.forEach((block, index) => checkThought(block, `messages.${at}.content.${index}`));
  });
  if (thinking?.type === "enabled") checkOpenTurn(messages);
}

function checkThought(block: Block, path: string): void {
  if (block.type === "thinking" && !isSigned(block.thinking, block.signature)) {
    throw invalid(path, "Invalid `signature` in `thinking` block");
  }
  if (block.type === "redacted_thinking" && !isRedaction(block.data)) {
    throw invalid(path, "Invalid `data` in `redacted_thinking` block");
  }
}

function checkOpenTurn(messages: readonly Message[]): void {
  if (!messages.at(-1)?.content.some(isResult)) return;
  const question = messages.findLastIndex(
    ({ role, content }) => role === "user" && !content.some(isResult),
  );
  const at = messages.findIndex(({ role }, index) => index > question && role === "assistant");
  const first = messages[at]?.content[0];
  if (!first || first.type === "thinking" || first.type === "redacted_thinking") return;
  const found = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\``;
  const rule = "a final `assistant` message must start with a thinking block";
  throw invalid(
    `messages.${at}.content.0.type`,
    `${found}. When \`thinking\` is enabled, ${rule}. To avoid this, disable \`thinking\`.`,
  );
}

function isResult({ type }: Block): boolean {
  return type === "tool_result";
}
