// Gives calls back what conversion took from them: a name or an id that went out under an alias,
// and the free text of a custom tool, which upstreams without such tools send as
// `{"input": "..."}`.
import { isObject } from "../../core/json.ts";
import type { CallPart, Reply, Tool } from "../../formats/exchange.ts";
import type { StreamPart } from "../../formats/stream-part.ts";

interface Conveyed {
  /** The calls' former names, by their aliases. */
  names: ReadonlyMap<string, string>;
  ids: ReadonlyMap<string, string>;
  tools: readonly Tool[];
}

export class CallRestorer {
  readonly #names: ReadonlyMap<string, string>;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #customNames: ReadonlySet<string>;
  /** Custom calls whose wrapped input is still coming in. */
  readonly #wrapped = new Map<number, string>();

  constructor({ names, ids, tools }: Conveyed) {
    this.#names = names;
    this.#ids = ids;
    this.#customNames = new Set(tools.filter(({ custom }) => custom).map(({ name }) => name));
  }

  restoreReply(reply: Reply): Reply {
    if (this.#isIdle) return reply;
    const choices = reply.choices.map((choice) => ({
      ...choice,
      parts: choice.parts.map((part) => (part.kind === "call" ? this.#restoreCall(part) : part)),
    }));
    return { ...reply, choices };
  }

  restore(part: StreamPart): StreamPart[] {
    if (this.#isIdle) return [part];
    switch (part.kind) {
      case "block-start": {
        if (part.content.kind !== "call") return [part];
        const { id, name } = part.content;
        const content = { ...part.content, id: this.#idOf(id), name: this.#nameOf(name) };
        if (!content.isCustom && this.#customNames.has(content.name)) {
          this.#wrapped.set(part.block, "");
          content.isCustom = true;
        }
        return [{ ...part, content }];
      }
      case "block-delta": {
        const before = this.#wrapped.get(part.block);
        if (before === undefined) return [part];
        this.#wrapped.set(part.block, before + part.text);
        return [];
      }
      case "block-end": {
        const input = this.#wrapped.get(part.block);
        if (input === undefined) return [part];
        this.#wrapped.delete(part.block);
        return [{ kind: "block-delta", block: part.block, text: unwrap(input) }, part];
      }
      default:
        return [part];
    }
  }

  get #isIdle(): boolean {
    return this.#names.size === 0 && this.#ids.size === 0 && this.#customNames.size === 0;
  }

  #restoreCall(call: CallPart): CallPart {
    const name = this.#nameOf(call.name);
    const own = { ...call, id: this.#idOf(call.id), name };
    if (call.isCustom || !this.#customNames.has(name)) return own;
    return { ...own, isCustom: true, input: unwrap(call.input) };
  }

  #nameOf(alias: string): string {
    return this.#names.get(alias) ?? alias;
  }

  #idOf(alias: string): string {
    return this.#ids.get(alias) ?? alias;
  }
}

/** Take an input as it is where it is not wrapped as agreed. */
function unwrap(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (isObject(value) && typeof value["input"] === "string") return value["input"];
  } catch {
    return input;
  }
  return input;
}
