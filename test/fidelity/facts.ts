// Facts of a reply, by kind: each fact is a text that is the same wherever the same was told.
import type {
  CallPart,
  Citation,
  MediaPart,
  Reply,
  ReplyPart,
} from "../../src/formats/exchange.ts";
import { toMarkdown } from "../../src/formats/kit/media.ts";
import type { Usage } from "../../src/formats/usage.ts";

export const kinds = [
  "text",
  "reasoning",
  "tools",
  "citations",
  "media",
  "usage",
  "ends",
  "errors",
] as const;
export type Kind = (typeof kinds)[number];
/** Fact of each kind that the reply has anything of. */
export type Facts = Partial<Record<Kind, string>>;

export function factsOf(reply: Reply): Facts {
  const parts = reply.choices.map((choice) => choice.parts);
  return {
    ...fact("text", parts.map(textOf)),
    ...fact("reasoning", parts.map(reasoningOf)),
    ...fact("tools", parts.map(callsOf)),
    ...fact("citations", parts.map(citationsOf)),
    ...fact("media", parts.map(mediaOf)),
    ...(reply.usage && { usage: usageFact(reply.usage) }),
    ends: JSON.stringify(reply.choices.map(({ stop }) => stop)),
  };
}

function fact(kind: Kind, choices: readonly string[]): Facts {
  return choices.every((choice) => choice === "") ? {} : { [kind]: JSON.stringify(choices) };
}

const markdownImage = /!\[[^\]]*\]\([^)]*\)/g;

/** A refusal is text to who has no place of its own for it, and so is a picture's link. */
function textOf(parts: readonly ReplyPart[]): string {
  const texts = parts.flatMap((part) =>
    part.kind === "text" || part.kind === "refusal" ? part.text : [],
  );
  return texts.join("").replaceAll(markdownImage, "");
}

function reasoningOf(parts: readonly ReplyPart[]): string {
  return parts.flatMap((part) => (part.kind === "reasoning" ? part.text : [])).join("");
}

function callsOf(parts: readonly ReplyPart[]): string {
  return parts.flatMap((part) => (part.kind === "call" ? callOf(part) : [])).join("\n");
}

function callOf({ id, name, input }: CallPart): string {
  return `${id} ${name} ${canonical(input)}`;
}

/** Inputs are compared as the JSON that they are. */
function canonical(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input === "" ? "{}" : input));
  } catch {
    return input;
  }
}

function citationsOf(parts: readonly ReplyPart[]): string {
  const cited = parts.flatMap((part) => (part.kind === "text" ? (part.citations ?? []) : []));
  return [...new Set(cited.map(sourceOf))].join("\n");
}

/** Source of the citation; places in the text and quotes are not in every format. */
function sourceOf({ url, title, document }: Citation): string {
  return url ?? title ?? `document ${document}`;
}

function mediaOf(parts: readonly ReplyPart[]): string {
  const own = parts.flatMap((part) => (part.kind === "media" ? linkOf(part) : []));
  const texts = parts.flatMap((part) => (part.kind === "text" ? part.text : []));
  const linked = texts.join("").match(markdownImage) ?? [];
  return [...own, ...linked.map((link) => /\((.*)\)/.exec(link)?.[1] ?? "")].join("\n");
}

function linkOf(part: MediaPart): string {
  return /\((.*)\)/s.exec(toMarkdown(part))?.[1] ?? "";
}

export function usageFact(usage: Usage): string {
  const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = usage;
  return `${inputTokens} ${outputTokens} ${cacheReadTokens} ${reasoningTokens}`;
}
