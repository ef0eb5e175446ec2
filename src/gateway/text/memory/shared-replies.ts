// Replies that no vendor keeps, where any node can find them: sealed in Redis, for an hour after
// they were made or fetched. An answer waits until they are there, since its client may come to
// another node next; nothing fails without them. What was deleted leaves a mark for as long, by
// which other nodes know that what they have of it is to be forgotten.
import { digestOf } from "../../../core/digest.ts";
import type { AccountId } from "../../../core/ids.ts";
import { isObject } from "../../../core/json.ts";
import type { Seal } from "../../../core/seal.ts";
import type { KeptNames } from "../../../formats/recollection.ts";
import type { AskedReply } from "./kept-bytes.ts";

interface SharedRepliesNeeds {
  link: { isUp: boolean; call(command: string, values: string[]): Promise<unknown> };
  seal: Seal;
}

interface FetchedReply {
  names: KeptNames;
  kept: AskedReply;
}

const lifeMs = "3600000";
/** A large one would hold up the others. */
const bytesMax = 256 * 1024;
const itemsMax = 64;
const pointer = "@";
const mark = "deleted";
/** Limit of replies that nobody could be told of while Redis was away. */
const untoldMax = 1000;

export class SharedReplies {
  readonly #needs: SharedRepliesNeeds;
  /** Names of what was deleted here, and perhaps not yet elsewhere. */
  readonly #untold = new Set<string>();

  constructor(needs: SharedRepliesNeeds) {
    this.#needs = needs;
  }

  async keep(accountId: AccountId, names: KeptNames, kept: AskedReply): Promise<void> {
    const { link, seal } = this.#needs;
    const { request, reply, askerId } = kept;
    const bytes = reply.length + (request?.length ?? 0);
    if (!link.isUp || bytes > bytesMax || names.itemIds.length > itemsMax) return;
    const name = nameOf(accountId, names.id);
    const document = JSON.stringify({
      id: names.id,
      itemIds: names.itemIds,
      askerId,
      request: request && textOf(request),
      reply: textOf(reply),
    });
    const items = names.itemIds.map((itemId) => [nameOf(accountId, itemId), pointer + name]);
    const values = [[name, seal.close(document, name)], ...items];
    await Promise.all(values.map((value) => this.#send("SET", [...value, "PX", lifeMs])));
  }

  /** Told again later where it cannot be told now. */
  async forget(accountId: AccountId, id: string): Promise<void> {
    this.#untold.add(nameOf(accountId, id));
    if (this.#untold.size > untoldMax) this.#untold.delete([...this.#untold][0] ?? "");
    await this.#tell();
  }

  /** Those of them that were deleted, on whichever node. */
  async findGone(accountId: AccountId, ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0 || !this.#needs.link.isUp) return [];
    await this.#tell();
    const marks = await this.#send(
      "MGET",
      ids.map((id) => markOf(nameOf(accountId, id))),
    );
    return Array.isArray(marks) ? ids.filter((_, at) => marks[at] === mark) : [];
  }

  /** Fetch a reply by its own id, or by that of one of its items; null also when Redis is away. */
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

  /** The mark first: who fetches it meanwhile finds one of the two. */
  async #tell(): Promise<void> {
    for (const name of this.#untold) {
      if (!this.#needs.link.isUp) return;
      const isMarked = await this.#send("SET", [markOf(name), mark, "PX", lifeMs]);
      if (isMarked === null || (await this.#send("DEL", [name])) === null) return;
      this.#untold.delete(name);
    }
  }

  /** Null where it fails, which takes the link down. */
  async #send(command: string, values: string[]): Promise<unknown> {
    return await this.#needs.link.call(command, values).catch(() => null);
  }
}

function read(document: string): FetchedReply | null {
  const value: unknown = JSON.parse(document);
  if (!isObject(value)) return null;
  const { id, itemIds, request, reply, askerId } = value;
  if (typeof id !== "string" || typeof reply !== "string" || !Array.isArray(itemIds)) return null;
  const kept = {
    askerId: typeof askerId === "string" ? (askerId as AccountId) : null,
    request: typeof request === "string" ? Buffer.from(request) : null,
    reply: Buffer.from(reply),
  };
  return { names: { id, itemIds: itemIds.map(String) }, kept };
}

function nameOf(accountId: AccountId, id: string): string {
  return `sluice:reply:${digestOf(`${accountId} ${id}`)}`;
}

function markOf(name: string): string {
  return `${name}:deleted`;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
