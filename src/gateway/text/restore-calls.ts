// Gives calls back what conversion took from them: a name that went out under an alias, and the
// free text of a custom tool, which upstreams without such tools send as `{"input": "..."}`.
import { isObject } from "../../core/json.ts";
import type { CallPart, Reply, Tool } from "../../formats/exchange.ts";
import type { StreamPart } from "../../formats/stream-part.ts";

export class CallRestorer {
  readonly #names: ReadonlyMap<string, string>;
  readonly #customNames: ReadonlySet<string>;
  /** Custom calls whose wrapped input is still coming in. */
  readonly #wrapped = new Map<number, string>();

  constructor(names: ReadonlyMap<string, string>, tools: readonly Tool[]) {
    this.#names = names;
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
        const content = { ...part.content, name: this.#nameOf(part.content.name) };
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
    return this.#names.size === 0 && this.#customNames.size === 0;
  }

  #restoreCall(call: CallPart): CallPart {
    const name = this.#nameOf(call.name);
    if (call.isCustom || !this.#customNames.has(name)) return { ...call, name };
    return { ...call, name, isCustom: true, input: unwrap(call.input) };
  }

  #nameOf(alias: string): string {
    return this.#names.get(alias) ?? alias;
  }
}

/** What is not wrapped as agreed is taken as it is. */
function unwrap(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (isObject(value) && typeof value["input"] === "string") return value["input"];
  } catch {
    return input;
  }
  return input;
}
