// The words of an OpenAI-style vendor.
import { event, promptTokens, renderAnswers, word, wordCount } from "./answers.ts";

const base = { id: "chatcmpl-bench", created: 1_700_000_000, model: "bench-model" };
const usage = {
  prompt_tokens: promptTokens,
  completion_tokens: wordCount,
  total_tokens: promptTokens + wordCount,
};
const message = { role: "assistant", content: word.repeat(wordCount) };

function renderChunk(fields: object): string {
  return event({ ...base, object: "chat.completion.chunk", ...fields });
}

export const chat = renderAnswers({
  reply: {
    ...base,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage,
  },
  opening: [],
  say(index, count) {
    const delta = index === 0 ? { role: "assistant", content: word } : { content: word };
    const choice = { index: 0, delta, finish_reason: index === count - 1 ? "stop" : null };
    return renderChunk({ choices: [choice] });
  },
  closing: [renderChunk({ choices: [], usage }), event("[DONE]")],
});
