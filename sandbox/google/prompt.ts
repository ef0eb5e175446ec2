// Reads a conversation: what the user wants now, what came with it, what the functions returned,
// and how many tokens all of it has.
import { describeMedia, readMedia } from "../writer/describe-media.ts";
import { countTokens } from "../writer/tokens.ts";
import { stepDue } from "../writer/tool-wish.ts";
import { isQuestion, responsesOf } from "./request/contents.ts";
import type { Content, GenerateRequest, Part } from "./request/messages.ts";

type Modality = "TEXT" | "IMAGE" | "AUDIO" | "VIDEO" | "DOCUMENT";
export type TokensByModality = Partial<Record<Modality, number>>;

export interface Prompt {
  /** The user's last question, directives included. */
  text: string;
  attachments: string[];
  /** Results of the functions, when they spoke last. */
  toolResults: string[];
  /** Part of it that tools are due for; null once they were called, or the model spoke last. */
  step: string | null;
  tokens: TokensByModality;
  cachedTokens: number;
}

type Media = Pick<Part, "inlineData" | "fileData">;

const mediaTokens: Readonly<Record<Exclude<Modality, "TEXT">, number>> = {
  IMAGE: 258,
  AUDIO: 32,
  VIDEO: 263,
  DOCUMENT: 258,
};
const cachedTokens = 64;

export function readPrompt(request: GenerateRequest): Prompt {
  const { contents } = request;
  // Instructions may stand beside responses.
  const at = contents.findLastIndex((one) => isQuestion(one) && !hasResponses(one));
  const question = contents[at];
  const text = textOf(question);
  const last = contents.at(-1);
  const responses = last ? responsesOf(last) : [];
  const media = [...(question?.parts ?? []), ...responses.flatMap(({ parts = [] }) => parts)];
  return {
    text,
    attachments: media.flatMap(describe),
    toolResults: responses.map(({ response }) => JSON.stringify(response)),
    step: stepDue(text, contents.slice(at + 1).map(hasResponses)),
    ...promptTokensOf(request),
  };
}

function hasResponses(content: Content): boolean {
  return responsesOf(content).length > 0;
}

export function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).flatMap(({ text }) => text ?? []).join("\n");
}

/** A file that is kept elsewhere cannot be looked into. */
function describe({ inlineData, fileData }: Media): string[] {
  if (fileData) return [`a file at ${fileData.fileUri}`];
  if (!inlineData) return [];
  const { mimeType = "", data = "" } = inlineData;
  if (!mimeType.startsWith("text/")) return [describeMedia(data)];
  return [`a text that says ${Buffer.from(data, "base64").toString()}`];
}

type Counted = Pick<Prompt, "tokens" | "cachedTokens">;

function promptTokensOf(request: GenerateRequest): Counted {
  const { contents, systemInstruction, tools, cachedContent } = request;
  const parts = [...(systemInstruction ? [systemInstruction] : []), ...contents].flatMap(
    (content) => content.parts ?? [],
  );
  const cached = cachedContent === undefined ? 0 : cachedTokens;
  const texts = [...parts.map(textToCount), tools ? JSON.stringify(tools) : ""];
  const tokens: TokensByModality = { TEXT: Math.max(1, countTokens(texts.join(""))) + cached };
  const nested = parts.flatMap(({ functionResponse }) => functionResponse?.parts ?? []);
  for (const modality of [...parts, ...nested].flatMap(modalityOf)) {
    tokens[modality] = (tokens[modality] ?? 0) + mediaTokens[modality];
  }
  return { tokens, cachedTokens: cached };
}

function textToCount({ text, functionCall, functionResponse, ...rest }: Part): string {
  if (text !== undefined) return text;
  const said = [functionCall, functionResponse, rest.executableCode, rest.codeExecutionResult];
  return said.map((spoken) => JSON.stringify(spoken) ?? "").join("");
}

function modalityOf({ inlineData, fileData }: Media): Exclude<Modality, "TEXT">[] {
  if (!inlineData && !fileData) return [];
  const declared = inlineData?.mimeType ?? fileData?.mimeType ?? "";
  const type = (inlineData && readMedia(inlineData.data ?? "").type) ?? declared;
  if (type.startsWith("image/")) return ["IMAGE"];
  if (type.startsWith("audio/")) return ["AUDIO"];
  return type.startsWith("video/") ? ["VIDEO"] : ["DOCUMENT"];
}
