// The words of an Anthropic-style vendor: the whole sequence of events around the deltas.
import { event, promptTokens, renderAnswers, word, wordCount } from "./answers.ts";

const head = {
  id: "msg_bench",
  type: "message",
  role: "assistant",
  model: "bench-messages",
};
const cached = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const usage = { input_tokens: promptTokens, ...cached, output_tokens: wordCount };
const unended = { stop_reason: null, stop_sequence: null };
const ended = { stop_reason: "end_turn", stop_sequence: null };

function renderEvent(type: string, fields: object): string {
  return event({ type, ...fields }, type);
}

export const messages = renderAnswers({
  reply: { ...head, content: [{ type: "text", text: word.repeat(wordCount) }], ...ended, usage },
  opening: [
    renderEvent("message_start", {
      message: { ...head, content: [], ...unended, usage: { ...usage, output_tokens: 1 } },
    }),
    renderEvent("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    renderEvent("ping", {}),
  ],
  say: () =>
    renderEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text: word } }),
  closing: [
    renderEvent("content_block_stop", { index: 0 }),
    renderEvent("message_delta", { delta: ended, usage: { output_tokens: wordCount } }),
    renderEvent("message_stop", {}),
  ],
});
