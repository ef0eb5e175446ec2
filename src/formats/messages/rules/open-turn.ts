// An answer that is still going on, because its tools have only now returned.
import { readObjects } from "../../kit/fields.ts";

/**
 * A model that is to think by a budget wants an answer that is still going on to begin with its
 * thoughts; those that another vendor had are not there.
 */
export function resumesWithoutThinking(messages: unknown): boolean {
  const turns = readObjects(messages);
  const question = turns.findLastIndex(
    ({ role, content }) => role === "user" && !typesOf(content).includes("tool_result"),
  );
  return turns.slice(question + 1).some(({ role, content }) => {
    const [first] = typesOf(content);
    return role === "assistant" && first !== "thinking" && first !== "redacted_thinking";
  });
}

function typesOf(content: unknown): unknown[] {
  return readObjects(content).map(({ type }) => type);
}
