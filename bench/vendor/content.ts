// The words of a Google-style vendor: every event is a reply with the usage so far, and the stream
// ends with its connection's last bytes.
import { event, promptTokens, renderAnswers, word, wordCount } from "./answers.ts";

function render(text: string, tokens: number, finish: object): object {
  const content = { parts: [{ text }], role: "model" };
  return {
    candidates: [{ content, ...finish, index: 0 }],
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: tokens,
      totalTokenCount: promptTokens + tokens,
    },
    modelVersion: "bench-content",
    responseId: "bench",
  };
}

const stop = { finishReason: "STOP" };

export const content = renderAnswers({
  reply: render(word.repeat(wordCount), wordCount, stop),
  opening: [],
  say: (index, count) => event(render(word, index + 1, index === count - 1 ? stop : {})),
  closing: [],
});
