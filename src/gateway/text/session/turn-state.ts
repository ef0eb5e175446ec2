// Codex is given a state with the answer to a turn's first request and sends it with all others of
// that turn. A vendor that says one means its own machines by it, so that it goes on sealed, with
// the channel and the key that it is of: the same client gets back to just these with it.
import { digestOf } from "../../../core/digest.ts";
import type { AccountId } from "../../../core/ids.ts";
import type { Seal } from "../../../core/seal.ts";
import type { Channels } from "../../../distribution/channels.ts";
import type { Choice } from "../../../distribution/choose.ts";

export const turnStateHeader = "x-codex-turn-state";

const charactersMax = 4096;
/** Sealed it is longer, by a third and what it is sealed with. */
const sealedCharactersMax = 8192;

export interface TurnState {
  choice: Choice;
  /** The vendor's own. */
  value: string;
}

export class TurnStates {
  readonly #seal: Seal;
  readonly #channels: Channels;

  constructor(seal: Seal, channels: Channels) {
    this.#seal = seal;
    this.#channels = channels;
  }

  /** Null for one of nobody, of another account, or of a channel or key that is gone. */
  open(accountId: AccountId, sealed: string | null): TurnState | null {
    if (sealed === null || sealed.length > sealedCharactersMax) return null;
    const plain = this.#opened(accountId, sealed);
    const [, id, digest, value] = /^([^\n]+)\n([^\n]+)\n([^]*)$/.exec(plain ?? "") ?? [];
    const channel = this.#channels.all.find(({ settings }) => settings.id === id);
    const key = channel?.settings.keys.find(({ text }) => digestOf(text) === digest);
    return channel && key && value !== undefined ? { choice: { channel, key }, value } : null;
  }

  /** Null where the vendor said nothing that can be carried. */
  close(accountId: AccountId, { channel, key }: Choice, value: string | null): string | null {
    if (value === null || !/^[\x20-\x7e]+$/.test(value) || value.length > charactersMax)
      return null;
    const plain = `${channel.settings.id}\n${digestOf(key.text)}\n${value}`;
    return this.#seal.close(plain, contextOf(accountId));
  }

  #opened(accountId: AccountId, sealed: string): string | null {
    try {
      return this.#seal.open(sealed, contextOf(accountId));
    } catch {
      return null;
    }
  }
}

function contextOf(accountId: AccountId): string {
  return `turn state of ${accountId}`;
}
