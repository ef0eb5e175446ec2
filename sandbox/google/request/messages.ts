// The messages of Google's text endpoints, with every field that the vendor knows.
import { anything, bytes, flag, integer, list, map, message, number } from "./readers.ts";
import { oneOf, type Read, struct, text } from "./readers.ts";
import { schema } from "./schema.ts";

const blob = message({ mimeType: text, data: bytes, displayName: text });
const fileData = message({ mimeType: text, fileUri: text, displayName: text });

const functionCall = message({ id: text, name: text, args: struct });
const functionResponse = message({
  id: text,
  name: text,
  response: struct,
  parts: list(message({ inlineData: blob, fileData })),
  willContinue: flag,
  scheduling: text,
});

const part = message({
  text,
  inlineData: blob,
  fileData,
  functionCall,
  functionResponse,
  executableCode: message({ id: text, language: text, code: text }),
  codeExecutionResult: message({ id: text, outcome: text, output: text }),
  thought: flag,
  thoughtSignature: bytes,
  videoMetadata: message({ startOffset: text, endOffset: text, fps: number }),
  mediaResolution: message({ level: text }),
  partMetadata: struct,
});

const content = message({ role: text, parts: list(part) });

const functionDeclaration = message({
  name: text,
  description: text,
  parameters: schema,
  parametersJsonSchema: anything,
  response: schema,
  responseJsonSchema: anything,
  behavior: text,
});

const tool = message({
  functionDeclarations: list(functionDeclaration),
  googleSearch: struct,
  googleSearchRetrieval: struct,
  googleMaps: struct,
  codeExecution: struct,
  urlContext: struct,
  fileSearch: struct,
  computerUse: struct,
  mcpServers: list(struct),
});

const toolConfig = message({
  functionCallingConfig: message({
    mode: oneOf("MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"),
    allowedFunctionNames: list(text),
  }),
  retrievalConfig: struct,
  includeServerSideToolInvocations: flag,
});

const safetySetting = message({
  category: oneOf(
    "HARM_CATEGORY_UNSPECIFIED",
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
    "HARM_CATEGORY_CIVIC_INTEGRITY",
  ),
  threshold: oneOf(
    "HARM_BLOCK_THRESHOLD_UNSPECIFIED",
    "BLOCK_LOW_AND_ABOVE",
    "BLOCK_MEDIUM_AND_ABOVE",
    "BLOCK_ONLY_HIGH",
    "BLOCK_NONE",
    "OFF",
  ),
});

const generationConfig = message({
  temperature: number,
  topP: number,
  topK: integer,
  candidateCount: integer,
  maxOutputTokens: integer,
  stopSequences: list(text),
  responseMimeType: text,
  responseSchema: schema,
  responseJsonSchema: anything,
  responseModalities: list(oneOf("MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "AUDIO", "VIDEO")),
  thinkingConfig: message({
    includeThoughts: flag,
    thinkingBudget: integer,
    thinkingLevel: oneOf("THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"),
  }),
  imageConfig: message({ aspectRatio: text, imageSize: text }),
  speechConfig: struct,
  seed: integer,
  presencePenalty: number,
  frequencyPenalty: number,
  responseLogprobs: flag,
  logprobs: integer,
  mediaResolution: text,
  enableEnhancedCivicAnswers: flag,
});

export const generateRequest = message({
  model: text,
  contents: list(content),
  systemInstruction: content,
  tools: list(tool),
  toolConfig,
  safetySettings: list(safetySetting),
  generationConfig,
  cachedContent: text,
  labels: map(text),
  serviceTier: text,
  store: flag,
  continuationToken: text,
});

export const countRequest = message({
  model: text,
  contents: list(content),
  generateContentRequest: generateRequest,
});

export const embedRequest = message({
  model: text,
  content,
  taskType: text,
  title: text,
  outputDimensionality: integer,
});

export const batchEmbedRequest = message({ model: text, requests: list(embedRequest) });

export type Part = Read<typeof part>;
export type Content = Read<typeof content>;
export type FunctionDeclaration = Read<typeof functionDeclaration>;
export type GenerationConfig = Read<typeof generationConfig>;
export type EmbedRequest = Read<typeof embedRequest>;
type GivenRequest = Read<typeof generateRequest>;
/** One that keeps the rules. */
export type GenerateRequest = GivenRequest & { contents: Content[] };
