// The result of a task as its row has it. All text there is ours, so a missing field was not there
// yet when it was written.
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { CountedTokens, KeptImage, TaskResult } from "./task.ts";

export function readResult(result: JsonObject): TaskResult {
  switch (result["kind"]) {
    case "vendor":
      return { kind: "vendor" };
    case "images":
      return {
        kind: "images",
        items: listOf(result["items"]).map(readImage),
        size: textOrNull(result["size"]),
        quality: textOrNull(result["quality"]),
        usage: isObject(result["usage"]) ? readTokens(result["usage"]) : null,
      };
    case "img-f":
      return {
        kind: "img-f",
        image: isObject(result["image"]) ? readImage(result["image"]) : null,
        isModal: result["isModal"] === true,
        promptEn: textOrNull(result["promptEn"]),
        description: textOrNull(result["description"]),
        buttons: listOf(result["buttons"]),
        properties: isObject(result["properties"]) ? result["properties"] : {},
      };
    default:
      return { kind: "kept", ...readFile(result) };
  }
}

function readFile(file: JsonObject): { mediaId: string; bytes: number; type: string } {
  return {
    mediaId: textOr(file["mediaId"], ""),
    bytes: numberOr(file["bytes"], 0),
    type: textOr(file["type"], "application/octet-stream"),
  };
}

function readImage(value: Json): KeptImage {
  const image = isObject(value) ? value : {};
  return {
    ...readFile(image),
    width: numberOrNull(image["width"]),
    height: numberOrNull(image["height"]),
    revisedPrompt: textOrNull(image["revisedPrompt"]),
  };
}

function readTokens(usage: JsonObject): CountedTokens {
  return {
    inputTokens: numberOr(usage["inputTokens"], 0),
    outputTokens: numberOr(usage["outputTokens"], 0),
    totalTokens: numberOr(usage["totalTokens"], 0),
    inputTextTokens: numberOrNull(usage["inputTextTokens"]),
    inputImageTokens: numberOrNull(usage["inputImageTokens"]),
    outputImageTokens: numberOrNull(usage["outputImageTokens"]),
    outputTextTokens: numberOrNull(usage["outputTextTokens"]),
  };
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function numberOrNull(value: Json | undefined): number | null {
  return typeof value === "number" ? value : null;
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

export function textOr(value: Json | undefined, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}
