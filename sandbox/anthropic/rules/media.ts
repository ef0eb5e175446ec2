// Media has to be what it is called.
import { readMedia } from "../../writer/describe-media.ts";
import type { Block } from "../request/blocks.ts";
import { invalid } from "../errors.ts";
import type { Message } from "../request/schema.ts";

export function checkMedia(messages: readonly Message[]): void {
  messages.forEach(({ content }, at) => checkBlocks(content, `messages.${at}.content`));
}

function checkBlocks(blocks: readonly Block[], path: string): void {
  for (const [at, block] of blocks.entries()) {
    const here = `${path}.${at}.${block.type}`;
    if (block.type === "tool_result") checkBlocks(block.content, `${here}.content`);
    if (block.type !== "image" && block.type !== "document") continue;
    if (block.source.type !== "base64") continue;
    const { media_type: declared, data } = block.source;
    checkBytes(declared, data, `${here}.source.base64`);
  }
}

function checkBytes(declared: string, data: string, path: string): void {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) throw invalid(path, "invalid base64 data");
  const { type } = readMedia(data);
  if (type === declared) return;
  if (declared === "application/pdf") throw invalid(path, "The PDF specified was not valid.");
  if (!type?.startsWith("image/")) throw invalid(path, "Could not process image");
  const specified = `The image was specified using the ${declared} media type`;
  throw invalid(path, `${specified}, but the image appears to be a ${type} image`);
}
