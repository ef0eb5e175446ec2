// The wires that clients speak here: where a request goes, how it is written, and by what a proper
// answer is known.

interface Question {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly isStream: boolean;
}

export interface ClientWire {
  readonly path: string;
  readonly render: (question: Question) => object;
  /** One word as a stream carries it; the end of some streams repeats the whole text. */
  readonly streamedWord: string;
  /** The usage of an answer of 60 words. */
  readonly usage: string;
  /** Closing bytes of a stream that came to its proper end. */
  readonly streamEnd: string;
}

const temperature = 0.5;
const outputTokensMax = 200;

const chat: ClientWire = {
  path: "/v1/chat/completions",
  render: ({ model, system, prompt, isStream }) => ({
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: prompt },
    ],
    temperature,
    max_tokens: outputTokensMax,
    ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }),
  streamedWord: '"content":"word "',
  usage: '"completion_tokens":60',
  streamEnd: "[DONE]",
};

const messages: ClientWire = {
  path: "/v1/messages",
  render: ({ model, system, prompt, isStream }) => ({
    model,
    system,
    messages: [{ role: "user", content: prompt }],
    temperature,
    max_tokens: outputTokensMax,
    ...(isStream ? { stream: true } : {}),
  }),
  streamedWord: '"text":"word "',
  usage: '"output_tokens":60',
  streamEnd: '{"type":"message_stop"}',
};

const responses: ClientWire = {
  path: "/v1/responses",
  render: ({ model, system, prompt, isStream }) => ({
    model,
    instructions: system,
    input: [{ role: "user", content: prompt }],
    temperature,
    max_output_tokens: outputTokensMax,
    ...(isStream ? { stream: true } : {}),
  }),
  streamedWord: '"delta":"word "',
  usage: '"output_tokens":60',
  streamEnd: "event: response.completed\n",
};

export const clientWires = { chat, messages, responses } as const;
