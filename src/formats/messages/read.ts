// Reads a messages request: its media, and the signature that leads back to who made it.
import { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { TextRequest } from "../format.ts";
import { MediaBound } from "../kit/media-bound.ts";
import { checkBlocks } from "./wire/check-blocks.ts";
import { messagesRequest } from "./schema.ts";
import { isSet, readNumber, readObject, readText } from "./wire/fields.ts";
import { isProof, toOrigin } from "./wire/proof-slot.ts";

interface Findings {
  media: MediaBound;
  signature: string | null;
}

export function readMessagesRequest(body: JsonObject): TextRequest {
  // A vendor that keeps the conversation reads, and bills, more than the body can be priced by.
  // Clients that are told this code send the whole conversation instead.
  if (isSet(body["thread"])) {
    throw new GatewayError("thread_unsupported_request", { param: "thread" });
  }
  const { model, messages, system } = parseWith(messagesRequest, body);
  const container = readContainer(body["container"]);
  const findings: Findings = { media: new MediaBound(), signature: null };
  const see = (block: JsonObject) => note(block, findings);
  if (Array.isArray(system)) checkBlocks(system, "system", see);
  for (const [at, { content }] of messages.entries()) {
    if (Array.isArray(content)) checkBlocks(content, `messages.${at}.content`, see);
  }
  const { media, signature } = findings;
  const { readsMore, ...hold } = media.hold;
  const preferred = container ?? (signature && toOrigin(signature));
  return {
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: 1,
    // No output at all only fills the vendor's cache; whoever reads it as no bound must not gain.
    outputTokensMax: readNumber(body["max_tokens"]) || null,
    ...hold,
    readsMore: readsMore || container !== null,
    wantsUsage: true,
    origins: { required: null, preferred },
  };
}

/** A container is given by its id, or as an object that has one. */
export function readContainer(container: unknown): string | null {
  return isObject(container) ? readText(container["id"]) : readText(container);
}

function note(block: JsonObject, findings: Findings): void {
  switch (block["type"]) {
    case "image":
    case "document":
      noteMedia(block, findings.media);
      break;
    case "thinking":
      noteSignature(block["signature"], findings);
      break;
    case "redacted_thinking":
      noteSignature(block["data"], findings);
  }
}

function noteSignature(signature: unknown, findings: Findings): void {
  if (typeof signature === "string" && isProof(signature)) findings.signature = signature;
}

function noteMedia(block: JsonObject, media: MediaBound): void {
  const { type, data, url } = readObject(block["source"]);
  if (type === "text" || type === "content") return;
  if (type === "base64" && typeof data === "string") media.inline(data);
  else if (type === "url" && typeof url === "string" && block["type"] === "image") {
    media.picture(url);
  } else media.elsewhere();
}
