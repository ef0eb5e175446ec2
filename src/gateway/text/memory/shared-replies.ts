// Replies that no vendor keeps, where any node can find them: sealed in Redis, for an hour after
// their last use. Nothing waits for them to be written, and nothing fails without them.
import { digestOf } from "../../../core/digest.ts";
import type { AccountId } from "../../../core/ids.ts";
import { isObject } from "../../../core/json.ts";
import type { Seal } from "../../../core/seal.ts";
import type { KeptNames } from "../../../formats/recollection.ts";
import type { KeptBytes } from "./kept-bytes.ts";

interface SharedRepliesNeeds {
  link: { isUp: boolean; call(command: string, values: string[]): Promise<unknown> };
  seal: Seal;
}

interface FetchedReply {
  names: KeptNames;
  kept: KeptBytes;
}

const lifeMs = "3600000";
/** A large one would hold up the limits, which use the same link. */
const bytesMax = 256 * 1024;
const itemsMax = 64;
const pointer = "@";

export class SharedReplies {
  readonly #needs: SharedRepliesNeeds;

  constructor(needs: SharedRepliesNeeds) {
    this.#needs = needs;
  }

  keep(accountId: AccountId, names: KeptNames, { request, reply }: KeptBytes): void {
    const { link, seal } = this.#needs;
    const bytes = reply.length + (request?.length ?? 0);
    if (!link.isUp || bytes > bytesMax || names.itemIds.length > itemsMax) return;
    const name = nameOf(accountId, names.id);
    const document = JSON.stringify({
      id: names.id,
      itemIds: names.itemIds,
      request: request && textOf(request),
      reply: textOf(reply),
    });
    this.#send("SET", [name, seal.close(document, name), "PX", lifeMs]);
    for (const itemId of names.itemIds) {
      this.#send("SET", [nameOf(accountId, itemId), pointer + name, "PX", lifeMs]);
    }
  }

  forget(accountId: AccountId, id: string): void {
    if (this.#needs.link.isUp) this.#send("DEL", [nameOf(accountId, id)]);
  }

  /** By its own id, or by that of one of its items; null also when Redis is away. */
  async fetch(accountId: AccountId, id: string): Promise<FetchedReply | null> {
    const { link, seal } = this.#needs;
    if (!link.isUp) return null;
    try {
      let name = nameOf(accountId, id);
      let text = await link.call("GETEX", [name, "PX", lifeMs]);
      if (typeof text === "string" && text.startsWith(pointer)) {
        name = text.slice(pointer.length);
        text = await link.call("GETEX", [name, "PX", lifeMs]);
      }
      return typeof text === "string" ? read(seal.open(text, name)) : null;
    } catch {
      return null;
    }
  }

  #send(command: string, values: string[]): void {
    this.#needs.link.call(command, values).catch(() => null);
  }
}

function read(document: string): FetchedReply | null {
  const value: unknown = JSON.parse(document);
  if (!isObject(value)) return null;
  const { id, itemIds, request, reply } = value;
  if (typeof id !== "string" || typeof reply !== "string" || !Array.isArray(itemIds)) return null;
  const kept = {
    request: typeof request === "string" ? Buffer.from(request) : null,
    reply: Buffer.from(reply),
  };
  return { names: { id, itemIds: itemIds.map(String) }, kept };
}

function nameOf(accountId: AccountId, id: string): string {
  return `sluice:reply:${digestOf(`${accountId} ${id}`)}`;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
