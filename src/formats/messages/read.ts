// Reads a messages request: its media, and the signature that leads back to who made it.
import { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import type { TextRequest } from "../format.ts";
import { MediaBound } from "../kit/media-bound.ts";
import { VendorObjects } from "../kit/vendor-objects.ts";
import { checkBlocks } from "./wire/check-blocks.ts";
import { messagesRequest } from "./schema.ts";
import { isSet, readNumber, readObject, readText } from "./wire/fields.ts";
import { isProof, toOrigin } from "./wire/proof-slot.ts";

interface Findings {
  media: MediaBound;
  objects: VendorObjects;
  signature: string | null;
}

export function readMessagesRequest(body: JsonObject): TextRequest {
  // A vendor that keeps the conversation reads, and bills, more than the body can be priced by.
  // Clients that are told this code send the whole conversation instead.
  if (isSet(body["thread"])) {
    throw new GatewayError("thread_unsupported_request", { param: "thread" });
  }
  const { model, messages, system } = parseWith(messagesRequest, body);
  const objects = new VendorObjects();
  const findings: Findings = { media: new MediaBound(), objects, signature: null };
  const see = (block: JsonObject, at: string) => note(block, at, findings);
  noteContainer(body["container"], objects);
  if (Array.isArray(system)) checkBlocks(system, "system", see);
  for (const [at, { content }] of messages.entries()) {
    if (Array.isArray(content)) checkBlocks(content, `messages.${at}.content`, see);
  }
  const { media, signature } = findings;
  const { readsMore, ...hold } = media.hold;
  const preferred = signature && toOrigin(signature);
  return {
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: 1,
    // No output at all only fills the vendor's cache; whoever reads it as no bound must not gain.
    outputTokensMax: readNumber(body["max_tokens"]) || null,
    ...hold,
    ...((mayBeEmpty(body) || endsTurn(messages.at(-1))) && { mayBeEmpty: true }),
    readsMore: readsMore || objects.named.length > 0,
    wantsUsage: true,
    origins: objects.joinedTo({ required: null, preferred }),
  };
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

function noteContainer(container: unknown, objects: VendorObjects): void {
  objects.add(container, "container");
  objects.addFrom(container, ["id"], "container");
  if (!isObject(container) || !Array.isArray(container["skills"])) return;
  for (const [at, skill] of container["skills"].entries()) {
    // Those of the vendor itself are everybody's.
    if (isObject(skill) && skill["type"] === "anthropic") continue;
    objects.addFrom(skill, ["skill_id"], `container.skills.${at}`);
  }
}

function note(block: JsonObject, at: string, findings: Findings): void {
  switch (block["type"]) {
    case "image":
    case "document":
      noteMedia(block, findings.media);
      findings.objects.addFrom(block["source"], ["file_id"], `${at}.source`);
      break;
    case "container_upload":
      findings.objects.addFrom(block, ["file_id"], at);
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
