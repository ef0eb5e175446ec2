// Blocks of an answer of Converse, each an object with one name.
import type { JsonObject } from "../../core/json.ts";
import type { Citation, MediaPart, Proof } from "../exchange.ts";
import { readNumber, readObject, readObjects, readText } from "../kit/fields.ts";

export function readCitation(citation: JsonObject): Citation {
  const location = readObject(citation["location"]);
  const [place = {}] = Object.values(location).map(readObject);
  const source = readText(citation["source"]) ?? "";
  const quote = readObjects(citation["sourceContent"]).map(({ text }) => readText(text) ?? "");
  return {
    url: readText(place["url"]) ?? (/^https?:/i.test(source) ? source : null),
    title: readText(citation["title"]),
    quote: quote.join("") || null,
    start: null,
    end: null,
    document: readNumber(place["documentIndex"]),
  };
}

/** A picture that the model drew; null where its bytes are not there. */
export function readPicture(image: JsonObject): MediaPart | null {
  const base64 = readText(readObject(image["source"])["bytes"]);
  if (base64 === null) return null;
  const type = `image/${readText(image["format"]) ?? "png"}`;
  return { kind: "media", media: "image", source: { kind: "bytes", type, base64 }, at: "" };
}

export function proofOf(data: string): Proof {
  return { dialect: "converse", data };
}

/** Texts that were generated, of a whole reply or of one event's data. */
export function converseReplyTexts(body: JsonObject): string[] {
  const { delta, start } = body;
  if (delta !== undefined) return deltaTexts(readObject(delta));
  if (start !== undefined) return present([readObject(readObject(start)["toolUse"])["name"]]);
  const message = readObject(readObject(body["output"])["message"]);
  return readObjects(message["content"]).flatMap(blockTexts);
}

function deltaTexts({ text, toolUse, reasoningContent }: JsonObject): string[] {
  const { input } = readObject(toolUse);
  return present([text, input, readObject(reasoningContent)["text"]]);
}

function blockTexts({ text, toolUse, reasoningContent, citationsContent }: JsonObject): string[] {
  const call = readObject(toolUse);
  const calls = toolUse === undefined ? [] : [call["name"], JSON.stringify(call["input"] ?? {})];
  const reasoning = readObject(readObject(reasoningContent)["reasoningText"])["text"];
  const cited = readObjects(readObject(citationsContent)["content"]).map((part) => part["text"]);
  return present([text, ...calls, reasoning, ...cited]);
}

function present(values: readonly unknown[]): string[] {
  return values.flatMap((value) => readText(value) || []);
}
