// Parts of an answer's content where it is more than one text: resellers and vendors put thoughts
// and pictures there, or pictures beside it.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { MediaPart } from "../exchange.ts";
import { readUrl } from "../kit/media.ts";
import { readText } from "../kit/openai-exchange.ts";

export type Said = { kind: "text" | "reasoning" | "refusal"; text: string } | MediaPart;

export function readSaid(content: Json | undefined): Said[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part): Said[] => {
    if (!isObject(part)) return [];
    switch (part["type"]) {
      case "thinking":
        return [{ kind: "reasoning", text: thinkingText(part["thinking"]) }];
      case "refusal":
        return [{ kind: "refusal", text: readText(part["refusal"]) ?? "" }];
      case "image_url":
        return shownPictures([part]);
      default:
        return [{ kind: "text", text: readText(part["text"]) ?? "" }];
    }
  });
}

/** Thoughts, from a text or from parts of their own. */
export function thinkingText(thinking: Json | undefined): string {
  if (!Array.isArray(thinking)) return readText(thinking) ?? "";
  return thinking.map((part) => (isObject(part) ? (readText(part["text"]) ?? "") : "")).join("");
}

/** Pictures, each as a part of a request has them. */
export function shownPictures(images: Json | undefined): MediaPart[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image) => {
    const url = isObject(image) ? addressOf(image) : null;
    if (!url) return [];
    return [{ kind: "media", media: "image", source: readUrl(url), at: "images" } as const];
  });
}

function addressOf({ image_url: holder }: JsonObject): string | null {
  return readText(isObject(holder) ? holder["url"] : holder);
}

/** Thoughts of an earlier answer, and its content with nothing in their place. */
export function withoutThoughts(content: Json | undefined): {
  thought: string;
  content: Json | undefined;
} {
  if (!Array.isArray(content) || !content.some(isThought)) return { thought: "", content };
  return {
    thought: content
      .map((part) => (isThought(part) ? thinkingText(part["thinking"]) : ""))
      .join(""),
    content: content.map((part) => (isThought(part) ? { type: "text", text: "" } : part)),
  };
}

function isThought(part: Json): part is JsonObject {
  return isObject(part) && part["type"] === "thinking";
}
