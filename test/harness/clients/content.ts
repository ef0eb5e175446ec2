// A client of Google's generateContent.
import type { JsonObject } from "../../../src/core/json.ts";
import { type Ask, eventsOf, list, splitDataUrl, type TextClient } from "./client.ts";

interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name: string; args: unknown };
}

interface Candidate {
  content?: { role?: string; parts?: Part[] };
  finishReason?: string;
}

export const contentClient: TextClient = {
  path: (model, isStream) =>
    `/v1beta/models/${model}:${isStream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  body: ({ prompt, system, image, ...ask }) => ({
    contents: [
      {
        role: "user",
        parts: image === undefined ? [{ text: prompt }] : [{ text: prompt }, imagePart(image)],
      },
    ],
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    ...settingsOf(ask),
  }),
  next(body, reply, results) {
    const [candidate] = list<Candidate>(reply["candidates"]);
    const parts = candidate?.content?.parts ?? [];
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    const returned = calls.map(({ id, name }, at) => ({
      functionResponse: {
        ...(id !== undefined && { id }),
        name,
        response: { output: results[at] ?? "" },
      },
    }));
    const turns = [candidate?.content, { role: "user", parts: returned }] as JsonObject[];
    return { ...body, contents: [...list<JsonObject>(body["contents"]), ...turns] };
  },
  read(reply) {
    const [candidate] = list<Candidate>(reply["candidates"]);
    const parts = candidate?.content?.parts ?? [];
    const usage = (reply["usageMetadata"] ?? {}) as Record<string, number>;
    const reasoningTokens = usage["thoughtsTokenCount"] ?? 0;
    const said = (isThought: boolean) =>
      parts
        .map(({ text, thought }) => ((thought === true) === isThought ? (text ?? "") : ""))
        .join("");
    return {
      text: said(false),
      reasoning: said(true),
      calls: parts
        .flatMap(({ functionCall }) => functionCall ?? [])
        .map(({ id = "", name, args }) => ({ id, name, input: args })),
      stop: candidate?.finishReason ?? "",
      input: usage["promptTokenCount"] ?? -1,
      output: (usage["candidatesTokenCount"] ?? 0) + reasoningTokens,
      cacheRead: usage["cachedContentTokenCount"] ?? 0,
      reasoningTokens,
    };
  },
  assemble: (text) => assembleChunks(eventsOf(text)),
};

/** A stream may also come as one list of its pieces. */
export function assembleChunks(chunks: readonly JsonObject[]): JsonObject {
  const parts: Part[] = [];
  let finishReason: string | undefined;
  let usageMetadata: JsonObject = {};
  for (const chunk of chunks) {
    if (finishReason !== undefined) throw new Error("something came after the end");
    const [candidate] = list<Candidate>(chunk["candidates"]);
    for (const part of candidate?.content?.parts ?? []) add(parts, part);
    finishReason = candidate?.finishReason;
    usageMetadata = { ...usageMetadata, ...(chunk["usageMetadata"] as JsonObject) };
  }
  if (finishReason === undefined) throw new Error(`no end: ${JSON.stringify(chunks)}`);
  const candidate = { content: { role: "model", parts }, finishReason, index: 0 };
  return { candidates: [candidate as unknown as JsonObject], usageMetadata };
}

/** Pieces of one text are joined, as the vendor's own client does. */
function add(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  const isMore =
    last?.text !== undefined &&
    part.text !== undefined &&
    last.thought === part.thought &&
    last.thoughtSignature === undefined;
  if (!isMore) return void parts.push(part);
  parts.splice(-1, 1, { ...last, ...part, text: (last.text ?? "") + (part.text ?? "") });
}

function imagePart(url: string): JsonObject {
  const data = splitDataUrl(url);
  if (data) return { inlineData: { mimeType: data.type, data: data.base64 } };
  return { fileData: { fileUri: url, mimeType: "image/png" } };
}

const modes: Readonly<Record<string, string>> = { none: "NONE", auto: "AUTO", required: "ANY" };

function settingsOf(ask: Omit<Ask, "prompt">): JsonObject {
  const { tools, choice, outputTokensMax, stop, thinks, shape } = ask;
  const mode = choice === undefined ? undefined : modes[choice];
  const named = { mode: "ANY", allowedFunctionNames: [choice ?? ""] };
  const declared = tools?.map(({ name, schema }) => ({ name, parametersJsonSchema: schema }));
  const config = {
    ...(outputTokensMax !== undefined && { maxOutputTokens: outputTokensMax }),
    ...(stop && { stopSequences: [...stop] }),
    ...(thinks && { thinkingConfig: { includeThoughts: true, thinkingLevel: "MEDIUM" } }),
    ...(shape && { responseMimeType: "application/json", responseJsonSchema: shape }),
  };
  return {
    ...(declared && { tools: [{ functionDeclarations: declared }] }),
    ...(choice !== undefined && {
      toolConfig: { functionCallingConfig: mode === undefined ? named : { mode } },
    }),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}
