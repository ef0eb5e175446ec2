// One candidate of an answer, whole and in the pieces in which it is streamed.
import { isObject, type JsonObject, parseJson } from "../../src/core/json.ts";
import { countTokens } from "../writer/tokens.ts";
import type { Finish, Written, WrittenCall } from "../writer/write.ts";
import { safetyRatings } from "./safety.ts";
import { signCall, signText } from "./signatures.ts";

export interface CandidateStyle {
  index: number;
  /** A summary of the thoughts, or null when they are not shown. */
  thought: string | null;
  isSigned: boolean;
  /** Ids of calls begin with it; null when calls have none. */
  callPrefix: string | null;
}

export interface Candidate {
  written: Written;
  style: CandidateStyle;
}

interface CandidatePiece {
  candidate: object;
  /** Tokens of the answer up to the end of this piece. */
  tokens: number;
}

interface CallPart {
  functionCall: { id?: string; name: string; args: JsonObject };
  thoughtSignature?: string;
}

const finishReasons = {
  stop: "STOP",
  length: "MAX_TOKENS",
  calls: "STOP",
  filter: "SAFETY",
} as const satisfies Record<Finish, string>;

export function renderCandidate({ written, style }: Candidate): object {
  const parts = [...thoughtParts(style), ...answerParts(written, style)];
  return { ...contentOf(written, parts), ...endOf(written, style) };
}

/** Thoughts first, then the answer, then why it ended. */
export function renderPieces({ written, style }: Candidate): CandidatePiece[] {
  const { index } = style;
  const piece = (part: object, tokens: number): CandidatePiece => ({
    candidate: { content: { parts: [part], role: "model" }, index },
    tokens,
  });
  const thoughts = thoughtPieces(style).map((part) => piece(part, 0));
  const texts = splitText(written.text ?? "");
  const spoken = texts.map((text, at) =>
    piece({ text }, countTokens(texts.slice(0, at + 1).join(""))),
  );
  let tokens = 0;
  const called = callParts(written, style).map((part) => {
    const { name, args } = part.functionCall;
    tokens += countTokens(name) + countTokens(JSON.stringify(args));
    return piece(part, tokens);
  });
  const isSilent = written.text === "" || (written.text === null && called.length === 0);
  const closing = isSilent ? [] : [{ text: "", ...textSignature(written, style) }];
  const end = { ...contentOf(written, closing), ...endOf(written, style) };
  return [...thoughts, ...spoken, ...called, { candidate: end, tokens: written.tokens }];
}

/** Content that the filter caught is not shown, and nothing at all has no parts. */
function contentOf({ finish }: Written, parts: object[]): object {
  if (finish === "filter") return {};
  return { content: parts.length === 0 ? { role: "model" } : { parts, role: "model" } };
}

function endOf({ finish }: Written, { index }: CandidateStyle): object {
  const ratings = safetyRatings(finish === "filter");
  return { finishReason: finishReasons[finish], index, safetyRatings: ratings };
}

function thoughtParts({ thought, isSigned }: CandidateStyle): object[] {
  if (thought === null) return [];
  const part = { text: thought, thought: true };
  return [isSigned ? { ...part, thoughtSignature: signText(thought) } : part];
}

function thoughtPieces({ thought, isSigned }: CandidateStyle): object[] {
  const texts = splitText(thought ?? "");
  return texts.map((text, at) => {
    const part = { text, thought: true };
    const isLast = at === texts.length - 1;
    return isSigned && isLast ? { ...part, thoughtSignature: signText(thought ?? "") } : part;
  });
}

function answerParts(written: Written, style: CandidateStyle): object[] {
  const { text } = written;
  if (text === null) return callParts(written, style);
  return text === "" ? [] : [{ text, ...textSignature(written, style) }];
}

function textSignature({ text }: Written, { isSigned }: CandidateStyle): object {
  return isSigned && text !== null ? { thoughtSignature: signText(text) } : {};
}

/** Only the first of calls that are made together is signed. */
function callParts({ calls }: Written, { callPrefix }: CandidateStyle): CallPart[] {
  return calls.flatMap(readCall).map(({ name, args }, at) => {
    if (callPrefix === null) return { functionCall: { name, args } };
    const functionCall = { id: `${callPrefix}_${at}`, name, args };
    const isFirst = at === 0;
    return isFirst ? { functionCall, thoughtSignature: signCall(functionCall) } : { functionCall };
  });
}

/** A call that was cut short by the limit never comes out. */
function readCall(call: WrittenCall): { name: string; args: JsonObject }[] {
  try {
    const args = parseJson(new TextEncoder().encode(call.arguments));
    return isObject(args) ? [{ name: call.name, args }] : [];
  } catch {
    return [];
  }
}

/** A few words at a time, and long words in pieces. */
function splitText(text: string): string[] {
  return text.match(/(?:\s*\S{1,8}){1,3}|\s+$/gu) ?? [];
}
