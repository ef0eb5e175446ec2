// The speed of a channel, by model: a moving mean of how soon it begins to answer on this node.

/** Share of the newest in the mean. */
const newest = 0.1;
/** Names come from the channel's own list; past this they are not told apart. */
const modelsMax = 500;

export class Speeds {
  readonly #meansMs = new Map<string, number>();

  note(model: string, firstByteMs: number): void {
    const before = this.#meansMs.get(model);
    if (before === undefined && this.#meansMs.size >= modelsMax) return;
    const mean = before === undefined ? firstByteMs : before + (firstByteMs - before) * newest;
    this.#meansMs.set(model, mean);
  }

  /** Null where nothing was seen yet. */
  meanMs(model: string): number | null {
    return this.#meansMs.get(model) ?? null;
  }
}
