// Predictions: embeddings of the older models, and pictures by Imagen.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { directivesOf, readFaults, withoutDirectives } from "../directives.ts";
import { invalid, Refusal, refusalAnswer } from "../google/errors.ts";
import { drawPicture } from "../picture/index.ts";
import type { Answer } from "../vendor.ts";
import { jsonAnswer, jsonBodyOf } from "../wire.ts";
import { countTokens } from "../writer/tokens.ts";
import { behind } from "./gemini.ts";
import type { VertexAsk, VertexVendors } from "./ask.ts";

const sides: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048 };
const aspect = /^(1|3|4|9|16):(1|3|4|9|16)$/;

export function predict(ask: VertexAsk, vendors: VertexVendors): Answer {
  const body = jsonBodyOf(ask.request);
  const instances = isObject(body) ? listOf(body["instances"]) : [];
  if (!isObject(body) || instances.length === 0) throw invalid("instances: must not be empty.");
  const parameters = isObject(body["parameters"]) ? body["parameters"] : {};
  ask.request.note({ model: ask.model, stream: false });
  if (ask.model.startsWith("imagen")) return draw(ask, instances, parameters);
  return embed(ask, vendors, { instances, parameters });
}

interface EmbedAsk {
  instances: readonly JsonObject[];
  parameters: JsonObject;
}

function embed(ask: VertexAsk, { google }: VertexVendors, asked: EmbedAsk): Answer {
  const texts = asked.instances.map(({ content }) => (typeof content === "string" ? content : ""));
  if (texts.includes("")) throw invalid("instances: content must be a text.");
  const size = asked.parameters["outputDimensionality"];
  const requests = texts.map((text) => ({
    model: `models/${ask.model}`,
    content: { parts: [{ text }] },
    ...(size !== undefined && { outputDimensionality: size }),
  }));
  const inner = behind({ ...ask, verb: "batchEmbedContents" });
  const answer = google.answer({ ...inner, body: encode({ requests }) });
  if (answer.status !== 200 || answer.content.kind !== "whole") return answer;
  const vectors = listOf(parse(answer.content.bytes)["embeddings"]);
  const predictions = vectors.map((vector, at) => {
    const statistics = { token_count: countTokens(texts[at] ?? ""), truncated: false };
    return { embeddings: { ...vector, statistics } };
  });
  const billableCharacterCount = texts.join("").length;
  const { faults } = answer;
  return { ...jsonAnswer({ predictions, metadata: { billableCharacterCount } }), faults };
}

/** One content, with its wishes beside it and the usage beside its vector. */
export function embedContent(ask: VertexAsk, { google }: VertexVendors): Answer {
  const body = jsonBodyOf(ask.request);
  if (!isObject(body)) throw invalid("content: is required.");
  const { content = null, embedContentConfig: config } = body;
  const wishes = isObject(config) ? config : {};
  const text = JSON.stringify(content);
  const inner = { content, ...wishes };
  const answer = google.answer({ ...behind(ask), body: encode(inner) });
  if (answer.status !== 200 || answer.content.kind !== "whole") return answer;
  const usageMetadata = { promptTokenCount: countTokens(text), trafficType: "ON_DEMAND" };
  return jsonAnswer({ ...parse(answer.content.bytes), usageMetadata });
}

function draw(ask: VertexAsk, instances: readonly JsonObject[], parameters: JsonObject): Answer {
  const prompt = String(instances[0]?.["prompt"] ?? "");
  if (prompt === "") throw invalid("instances: prompt is required.");
  const faults = readFaults(prompt, ask.caller);
  if (faults.status !== null) {
    return refusalAnswer(new Refusal(faults.status), { faults, isList: false });
  }
  if (directivesOf(prompt, ask.caller).some(({ name }) => name === "filter")) {
    const raiFilteredReason = "The image was filtered because it may violate our policies.";
    return jsonAnswer({ predictions: [{ raiFilteredReason }] });
  }
  const size = sizeOf(parameters);
  const seed = `${withoutDirectives(prompt)} ${String(parameters["seed"] ?? "")}`;
  const count = Number(parameters["sampleCount"] ?? 1);
  if (!(count >= 1 && count <= 4)) throw invalid("parameters.sampleCount: must be 1 to 4.");
  const predictions = Array.from({ length: count }, (_, at) => {
    const bytes = drawPicture({ ...size, format: "png", seed: `${seed} ${at}` });
    return {
      bytesBase64Encoded: Buffer.from(bytes).toString("base64"),
      mimeType: "image/png",
    };
  });
  return { ...jsonAnswer({ predictions }), faults };
}

function sizeOf({ aspectRatio = "1:1", sampleImageSize = "1K", seed, ...rest }: JsonObject) {
  const side = sides[String(sampleImageSize)];
  const [, across, down] = aspect.exec(String(aspectRatio)) ?? [];
  if (side === undefined || across === undefined || down === undefined) {
    throw invalid("parameters: no such shape.");
  }
  if (seed !== undefined && rest["addWatermark"] !== false) {
    throw invalid("parameters.seed: is not supported when watermark is enabled.");
  }
  const [width, height] = [Number(across), Number(down)];
  const longer = Math.max(width, height);
  return {
    width: Math.round((side * width) / longer),
    height: Math.round((side * height) / longer),
  };
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function encode(body: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body));
}

function parse(bytes: Uint8Array): JsonObject {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isObject(value) ? value : {};
}
