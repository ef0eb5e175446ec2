// Reads a messages request, and finds the signature that leads back to who made it.
import { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { AddressFacts, TextRequest } from "../format.ts";
import { nameFilesInMessages, nameFilesInWords } from "../kit/resellers/file-words.ts";
import { PlaceWalk } from "../kit/places/walk-places.ts";
import { checkBlocks } from "./wire/check-blocks.ts";
import { messagesPlaces } from "./places.ts";
import { messagesRequest } from "./schema.ts";
import { isSet, readNumber, readText } from "../kit/fields.ts";
import { isProof, toOrigin } from "./wire/proof-slot.ts";

interface Findings {
  signature: string | null;
}

export function readMessagesRequest(
  body: JsonObject,
  address: AddressFacts | null = null,
): TextRequest {
  // A vendor that keeps the conversation reads, and bills, more than the body can be priced by.
  // Clients that are told this code send the whole conversation instead.
  if (isSet(body["thread"])) {
    throw new GatewayError("thread_unsupported_request", { param: "thread" });
  }
  const { model, messages, system } = parseWith(messagesRequest, body);
  const findings: Findings = { signature: null };
  const see = (block: JsonObject) => note(block, findings);
  if (Array.isArray(system)) checkBlocks(system, "system", see);
  for (const [at, { content }] of messages.entries()) {
    if (Array.isArray(content)) checkBlocks(content, `messages.${at}.content`, see);
  }
  const walk = new PlaceWalk().body(body, messagesPlaces);
  nameFilesInWords(walk.objects, body["system"], "system");
  nameFilesInMessages(walk.objects, body["messages"], "messages");
  const { signature } = findings;
  const preferred = signature && toOrigin(signature);
  const request: TextRequest = {
    ...walk.hold,
    model,
    stream: body["stream"] === true,
    framing: address?.framing ?? "events",
    choices: 1,
    // No output at all only fills the vendor's cache; whoever reads it as no bound must not gain.
    outputTokensMax: readNumber(body["max_tokens"]) || null,
    wantsUsage: true,
    origins: walk.objects.joinedTo({ required: null, preferred }),
  };
  if (mayBeEmpty(body) || endsTurn(messages.at(-1))) request.mayBeEmpty = true;
  return request;
}

function mayBeEmpty({ stop_sequences: stops, max_tokens: most }: JsonObject): boolean {
  return most === 0 || (Array.isArray(stops) && stops.length > 0);
}

/** Behind the result of a tool, or its own words, a model may have nothing more to say. */
function endsTurn(message: { role: string; content: unknown } | undefined): boolean {
  if (message?.role === "assistant") return true;
  const content = message?.content;
  if (!Array.isArray(content)) return false;
  return content.some((block: unknown) => isObject(block) && block["type"] === "tool_result");
}

/** A container is given by its id, or as an object that has one. */
export function readContainer(container: unknown): string | null {
  return isObject(container) ? readText(container["id"]) : readText(container);
}

function note(block: JsonObject, findings: Findings): void {
  if (block["type"] === "thinking") noteSignature(block["signature"], findings);
  if (block["type"] === "redacted_thinking") noteSignature(block["data"], findings);
}

function noteSignature(signature: unknown, findings: Findings): void {
  if (typeof signature === "string" && isProof(signature)) findings.signature = signature;
}
