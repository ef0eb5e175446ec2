// Facts of a reply that a client must be told, whatever way the reply came.
import { expect } from "bun:test";
import type {
  CallPart,
  Reply,
  ReplyChoice,
  ReplyPart,
  SearchPart,
} from "../../src/formats/exchange.ts";
import { toMarkdown } from "../../src/formats/kit/media.ts";
import type { ClientName } from "./matrix.ts";
import type { Told, ToldChoice } from "./wire/told.ts";

type Content = Pick<ToldChoice, "text" | "refusal" | "reasoning" | "calls" | "queries" | "pages">;

export function expectTold(told: Told, reply: Reply, client: ClientName): void {
  const choices = told.choices.map(({ calls, finish: _finish, turn: _turn, pages, ...said }) => ({
    ...said,
    calls: calls.map(({ input, ...call }) => ({ ...call, input: canonical(input) })),
    pages: [...new Set(pages)].toSorted(),
  }));
  expect(choices).toEqual(reply.choices.map((choice) => contentOf(choice, client)));
  if (reply.usage) expect(reply.usage).toMatchObject(told.usage ?? { inputTokens: -1 });
}

/** Clients without a field for something read it as text, or not at all. */
function contentOf({ parts }: ReplyChoice, client: ClientName): Content {
  const isMute = client === "completions";
  const hasRefusals = client === "chat" || client === "responses";
  const content: Content = {
    text: "",
    refusal: "",
    reasoning: "",
    calls: [],
    queries: [],
    pages: [],
  };
  for (const part of parts) {
    if (part.kind === "refusal" && hasRefusals) content.refusal += part.text;
    else if (part.kind === "search") addSearch(content, part, client);
    else if (part.kind === "reasoning") content.reasoning += isMute ? "" : part.text;
    else if (part.kind !== "call") content.text += textOf(part, client);
    else if (!isMute) content.calls.push(callOf(part, client));
  }
  // Google tells what is cited together with what was found.
  if (client === "content" && content.queries.length > 0) content.pages.push(...citedIn(parts));
  content.pages = [...new Set(content.pages)].toSorted();
  return content;
}

function citedIn(parts: readonly ReplyPart[]): string[] {
  const citations = parts.flatMap((part) => (part.kind === "text" ? (part.citations ?? []) : []));
  return citations.flatMap(({ url }) => url ?? []);
}

/** Clients of chat are told of a search by what the answer cites, and by nothing else. */
function addSearch(content: Content, { queries, found }: SearchPart, client: ClientName): void {
  if (client === "chat" || client === "completions") return;
  content.queries.push(...queries);
  content.pages.push(...found.map(({ url }) => url));
}

function textOf(part: Exclude<ReplyPart, CallPart | SearchPart>, client: ClientName): string {
  if (part.kind !== "media") return part.text;
  return client === "responses" || client === "content" ? "" : toMarkdown(part);
}

/** An input that was cut short is text inside of an object, in formats whose inputs are objects. */
function callOf({ id, name, input }: CallPart, client: ClientName): Content["calls"][number] {
  const isCut = input !== "" && !isJson(input);
  const holdsObjects = client === "messages" || client === "content";
  return { id, name, input: isCut && holdsObjects ? JSON.stringify({ input }) : canonical(input) };
}

/** JSON text without blanks; any other text as it is. */
function canonical(input: string): string {
  if (input === "") return "{}";
  return isJson(input) ? JSON.stringify(JSON.parse(input)) : input;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
