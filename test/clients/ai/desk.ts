// One provider of the AI SDK and the gateway that it talks to, with what tests of it need.
import { expect } from "bun:test";
import { type generateText, jsonSchema, type LanguageModel, type streamText, tool } from "ai";
import { startTapped, type TappedStand } from "../../harness/dialects.ts";
import { rootKey } from "../../harness/gateway.ts";
import { placeSchema } from "../../harness/samples.ts";

globalThis.AI_SDK_LOG_WARNINGS = false;

type Options = NonNullable<Parameters<typeof generateText>[0]["providerOptions"]>;

export interface AiClient {
  model(id: string, access: { url: string; key: string }): LanguageModel;
  /** Options that this provider must always be told. */
  options: Options;
  /** Thinking is wanted, and wanted to be seen. */
  thinking: Options;
  /** Whether the provider shows thinking and brings it back. */
  returnsThinking: boolean;
  /** The same for thinking that has no words. */
  returnsHiddenThinking: { whole: boolean; streamed: boolean };
  /** Whether the provider leaves it to the vendor to fetch a picture. */
  sendsAddresses: boolean;
}

export const question = "Where do lighthouses stand?";
export const place = jsonSchema<{ city: string }>(placeSchema);

/** One client and the gateway that it talks to. */
export class Desk {
  readonly client: AiClient;
  #stand: TappedStand | null = null;

  constructor(client: AiClient) {
    this.client = client;
  }

  get stand(): TappedStand {
    if (!this.#stand) throw new Error("not open");
    return this.#stand;
  }

  async open(): Promise<void> {
    this.#stand = await startTapped("distribution: { failures_to_eject: 1000 }");
  }

  async close(): Promise<void> {
    await this.#stand?.[Symbol.asyncDispose]();
  }

  /** Shared options of every call to a model of this name. */
  to(id: string, key: string = rootKey) {
    const { url } = this.stand.gateway;
    const model = this.client.model(id, { url, key });
    return { model, maxRetries: 0, providerOptions: this.client.options };
  }
}

/** The tools that are offered, and what they were called with. */
export function toolbox() {
  const calls: unknown[] = [];
  const run = (name: string, say: (city: string) => string) =>
    tool({
      description: `The ${name} tool`,
      inputSchema: place,
      execute: (input) => {
        calls.push({ name, input });
        return say(input.city);
      },
    });
  return {
    calls,
    tools: {
      find_city: run("find_city", (city) => `${city} is 300 km away`),
      get_weather: run("get_weather", (city) => `Sun over ${city}`),
    },
  };
}

type Streamed = ReturnType<typeof streamText>;

/** Reads a stream to its end as an application does; errors in it are part of what is read. */
export async function readAll(result: Pick<Streamed, "fullStream">) {
  const seen = { text: "", reasoning: "", finish: "", errors: [] as unknown[], kinds: new Set() };
  for await (const part of result.fullStream) {
    seen.kinds.add(part.type);
    if (part.type === "text-delta") seen.text += part.text;
    else if (part.type === "reasoning-delta") seen.reasoning += part.text;
    else if (part.type === "error") seen.errors.push(part.error);
    else if (part.type === "finish") seen.finish = part.finishReason;
  }
  return seen;
}

/** The whole text of a stream that must end well. */
export async function textOf(result: Pick<Streamed, "fullStream">): Promise<string> {
  const { text, errors, finish } = await readAll(result);
  expect(errors).toEqual([]);
  expect(finish).toBe("stop");
  return text;
}
