// The conversation as contents: two roles, calls and results by name, signatures where they were.
import { isObject, type JsonObject } from "../../core/json.ts";
import { GatewayError } from "../../core/errors.ts";
import type { CallPart, Exchange, MediaPart, Part, Proof, ResultPart, Turn } from "../exchange.ts";
import { typeByName } from "../kit/media.ts";
import { unsupported } from "../kit/refuse.ts";
import { needsSignatures } from "../../catalogue/rules/gemini.ts";
import { noSignature } from "./signature.ts";

interface EncodedTurns {
  systemInstruction: JsonObject | null;
  contents: JsonObject[];
}

export function encodeTurns({ system, turns }: Exchange, model: string): EncodedTurns {
  const writer = new TurnWriter(turns, needsSignatures(model));
  for (const turn of turns) writer.write(turn);
  const { contents } = writer;
  const instructions = system.map(({ text }): JsonObject => ({ text }));
  if (contents.length === 0) return encodeAlone(instructions);
  const [first, last] = [contents[0], contents.at(-1)];
  if (last?.["role"] === "model") {
    throw new GatewayError("invalid_request", {
      message:
        "The conversation ends with an answer, which this model cannot be made to go on with.",
    });
  }
  // Google wants the user to begin, and calls to follow somebody's words.
  if (first?.["role"] === "model") contents.unshift(content("user", [{ text: "(earlier)" }]));
  const systemInstruction = instructions.length > 0 ? { parts: instructions } : null;
  return { systemInstruction, contents };
}

/** Instructions alone are what is asked for: Google answers nothing without contents. */
function encodeAlone(instructions: JsonObject[]): EncodedTurns {
  if (instructions.length === 0) {
    throw new GatewayError("invalid_request", { message: "The conversation is empty." });
  }
  return { systemInstruction: null, contents: [content("user", instructions)] };
}

function content(role: string, parts: JsonObject[]): JsonObject {
  return { role, parts };
}

class TurnWriter {
  readonly contents: JsonObject[] = [];
  readonly #needsSignatures: boolean;
  /** Signatures of calls, which are checked: a copy on another part gives way to them. */
  readonly #ofCalls: ReadonlySet<string>;
  readonly #sent = new Set<string>();
  #role = "";
  #parts: JsonObject[] = [];

  constructor(turns: readonly Turn[], isSignatureNeeded: boolean) {
    this.#needsSignatures = isSignatureNeeded;
    const calls = turns.flatMap(({ parts }) => parts.filter((part) => part.kind === "call"));
    this.#ofCalls = new Set(calls.flatMap(({ proof }) => ownData(proof) ?? []));
  }

  write({ role, parts }: Turn): void {
    // An instruction in the middle is something that is said to the model, as a user does.
    const name = role === "assistant" ? "model" : "user";
    const written = parts.flatMap((part) => this.#writePart(part));
    if (name === "model" && this.#needsSignatures) signFirstCall(written);
    // Parts that belong to a result but have no place in it come behind all results.
    const late = parts.flatMap((part) => (part.kind === "result" ? lateMedia(part) : []));
    const firstOther = written.findIndex((part) => part["functionResponse"] === undefined);
    written.splice(firstOther === -1 ? written.length : firstOther, 0, ...late);
    if (written.length === 0) return;
    if (this.#role === name) {
      this.#parts.push(...written);
      return;
    }
    this.#role = name;
    this.#parts = written;
    this.contents.push(content(name, written));
  }

  #writePart(part: Part): JsonObject[] {
    switch (part.kind) {
      case "text":
        return [this.#sign({ text: part.text }, part.proof)];
      case "refusal":
        return part.text === "" ? [] : [{ text: part.text }];
      case "media":
        return [encodeMedia(part)];
      case "reasoning": {
        // Thoughts mean something to Google only with its own signature.
        if (!ownData(part.proof)) return [];
        const signed = this.#sign({ text: part.text, thought: true }, part.proof);
        return signed["thoughtSignature"] === undefined ? [] : [signed];
      }
      case "call":
        return [this.#sign(encodeCall(part), part.proof, true)];
      case "result":
        return [encodeResult(part)];
    }
  }

  #sign(part: JsonObject, proof: Proof | null | undefined, isCall: boolean = false): JsonObject {
    const data = ownData(proof);
    if (data === null || this.#sent.has(data)) return part;
    if (!isCall && this.#ofCalls.has(data)) return part;
    this.#sent.add(data);
    return { ...part, thoughtSignature: data };
  }
}

/** Another vendor's proof is never shown to Google. */
function ownData(proof: Proof | null | undefined): string | null {
  return proof?.dialect === "content" && proof.data !== "" ? proof.data : null;
}

/** Newer models refuse calls of the history that nobody signed, unless told not to look. */
function signFirstCall(parts: JsonObject[]): void {
  const call = parts.find((part) => part["functionCall"] !== undefined);
  if (call) call["thoughtSignature"] ??= noSignature;
}

function encodeCall({ id, name, input, isCustom }: CallPart): JsonObject {
  return { functionCall: { id, name, args: isCustom ? { input } : toArguments(input) } };
}

/**
 * An input that is no JSON object, such as a call that was cut short, goes as it is under one name.
 */
export function toArguments(input: string): JsonObject {
  if (input === "") return {};
  try {
    const value: unknown = JSON.parse(input);
    if (isObject(value)) return value;
  } catch {
    return { input };
  }
  return { input };
}

function encodeResult({ callId, name, content: parts, isError }: ResultPart): JsonObject {
  const texts = parts.flatMap((part) => {
    if (part.kind === "text") return [part.text];
    return part.source.kind === "text" ? [part.source.text] : [];
  });
  const text = texts.join("\n");
  const media = parts.flatMap((part) =>
    part.kind === "media" && part.source.kind === "bytes" ? [encodeMedia(part)] : [],
  );
  const response = isError ? { error: text } : { output: text };
  const written: JsonObject = { id: callId, name: name ?? callId, response };
  if (media.length > 0) written["parts"] = media;
  return { functionResponse: written };
}

/** Results hold bytes and no addresses. */
function lateMedia({ content: parts }: ResultPart): JsonObject[] {
  return parts.flatMap((part) => {
    if (part.kind === "text") return [];
    return part.source.kind === "url" || part.source.kind === "file" ? [encodeMedia(part)] : [];
  });
}

function encodeMedia({ media, source, at }: MediaPart): JsonObject {
  switch (source.kind) {
    case "bytes":
      return { inlineData: { mimeType: source.type, data: source.base64 } };
    case "text": {
      const data = Buffer.from(source.text).toString("base64");
      return { inlineData: { mimeType: "text/plain", data } };
    }
    case "url": {
      const mimeType = source.type ?? typeByName(source.url) ?? typesByKind[media];
      return { fileData: { mimeType, fileUri: source.url } };
    }
    case "file":
      if (source.dialect !== "content") throw unsupported(at);
      return { fileData: { fileUri: source.id } };
  }
}

const typesByKind: Readonly<Record<MediaPart["media"], string>> = {
  image: "image/jpeg",
  audio: "audio/mp3",
  video: "video/mp4",
  document: "application/pdf",
};
