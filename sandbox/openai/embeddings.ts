// Embeddings: a unit vector for each input, the same for the same text.
import { readFaults, withoutDirectives } from "../directives.ts";
import { createDraw, seedOf } from "../writer/seed.ts";
import { invalid } from "./check.ts";
import { readPrompts } from "./completions.ts";
import { type EmbeddingBody, parseEmbedding } from "./schema.ts";
import type { Work, WorkContext } from "./work.ts";

const defaultDimensions = 1536;
const inputsMax = 2048;
/** Without zero, so that no vector is without a length. */
const levels = Array.from({ length: 254 }, (_, at) => (at < 127 ? at - 127 : at - 126));

export function prepareEmbedding(json: unknown, { bearer }: WorkContext): Work {
  const body = parseEmbedding(json);
  const texts = textsOf(body.input);
  const faults = readFaults(texts.join("\n"), bearer);
  const tokens = readPrompts(body.input).reduce((total, prompt) => total + prompt.tokens, 0);
  const dimensions = body.dimensions ?? defaultDimensions;
  const encode = body.encoding_format === "base64" ? toBase64 : Array.from<number>;
  return {
    model: body.model,
    faults,
    body: () => ({
      object: "list",
      data: texts.map((text, index) => ({
        object: "embedding",
        index,
        embedding: encode(embed(withoutDirectives(text), dimensions)),
      })),
      model: body.model,
      ...(faults.noUsage ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    }),
    events: null,
  };
}

/** Token ids are told apart by their numbers. */
function textsOf(input: EmbeddingBody["input"]): string[] {
  const isIds = Array.isArray(input) && input.every((entry) => typeof entry === "number");
  const texts = isIds ? [input.join(" ")] : [input].flat().map(String);
  if (texts.some((text) => text === "")) throw invalid("input", "'input' must not be empty.");
  if (texts.length > inputsMax) {
    throw invalid("input", `Invalid 'input': array too long. Expected at most ${inputsMax}.`);
  }
  return texts;
}

/** Fewer dimensions are the first ones of more, brought to length one again. */
function embed(text: string, dimensions: number): Float32Array {
  const draw = createDraw(seedOf(text));
  const drawn = Array.from({ length: dimensions }, () => draw(levels) ?? 0);
  const length = Math.hypot(...drawn);
  return Float32Array.from(drawn, (value) => value / length);
}

function toBase64(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [at, value] of vector.entries()) bytes.setFloat32(at * 4, value, true);
  return Buffer.from(bytes.buffer).toString("base64");
}
