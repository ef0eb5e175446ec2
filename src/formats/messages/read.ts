// Reads a messages request: its media, and the signature that leads back to who made it.
import { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { TextRequest } from "../format.ts";
import { checkBlocks } from "./wire/check-blocks.ts";
import { messagesRequest } from "./schema.ts";
import { isSet, readNumber, readObject, readText } from "./wire/fields.ts";
import { isProof, toOrigin } from "./wire/proof-slot.ts";

interface Found {
  mediaParts: number;
  mediaBytes: number;
  readsMore: boolean;
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
  const readsMore = container !== null;
  const found: Found = { mediaParts: 0, mediaBytes: 0, readsMore, signature: null };
  const see = (block: JsonObject) => note(block, found);
  if (Array.isArray(system)) checkBlocks(system, "system", see);
  for (const [at, { content }] of messages.entries()) {
    if (Array.isArray(content)) checkBlocks(content, `messages.${at}.content`, see);
  }
  const { mediaParts, mediaBytes, signature } = found;
  const preferred = container ?? (signature && toOrigin(signature));
  return {
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: 1,
    // No output at all only fills the vendor's cache; whoever reads it as no bound must not gain.
    outputTokensMax: readNumber(body["max_tokens"]) || null,
    mediaParts,
    mediaBytes,
    readsMore: found.readsMore,
    wantsUsage: true,
    origins: { required: null, preferred },
  };
}

/** A container is given by its id, or as an object that has one. */
export function readContainer(container: unknown): string | null {
  return isObject(container) ? readText(container["id"]) : readText(container);
}

function note(block: JsonObject, found: Found): void {
  switch (block["type"]) {
    case "image":
    case "document":
      noteMedia(readObject(block["source"]), found);
      noteDocument(block, found);
      break;
    case "thinking":
      noteSignature(block["signature"], found);
      break;
    case "redacted_thinking":
      noteSignature(block["data"], found);
  }
}

function noteSignature(signature: unknown, found: Found): void {
  if (typeof signature === "string" && isProof(signature)) found.signature = signature;
}

/** A document that is elsewhere may be as long as the model reads. */
function noteDocument(block: JsonObject, found: Found): void {
  const { type } = readObject(block["source"]);
  if (block["type"] === "document" && (type === "url" || type === "file")) found.readsMore = true;
}

/** Images are paid for by the part; a document may have as many words as it has bytes. */
function noteMedia(source: JsonObject, found: Found): void {
  const { type, data, media_type: mediaType } = source;
  if (type === "text" || type === "content") return;
  found.mediaParts++;
  if (type !== "base64" || typeof data !== "string" || typeof mediaType !== "string") return;
  if (/^image\//i.test(mediaType)) found.mediaBytes += data.length;
}
