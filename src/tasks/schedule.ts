// The next look at each task: a heap, so that ten thousand of them cost little.
import type { TaskId } from "../core/ids.ts";

interface Due {
  id: TaskId;
  atMs: number;
}

export class Schedule {
  readonly #heap: Due[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(id: TaskId, atMs: number): void {
    const heap = this.#heap;
    heap.push({ id, atMs });
    let at = heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#timeAt(parent) <= this.#timeAt(at)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Takes the next task whose time has come. */
  take(nowMs: number): Due | null {
    const [first] = this.#heap;
    if (!first || first.atMs > nowMs) return null;
    const last = this.#heap.pop();
    if (last && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = at * 2 + 1;
      const right = left + 1;
      let least = at;
      if (this.#timeAt(left) < this.#timeAt(least)) least = left;
      if (this.#timeAt(right) < this.#timeAt(least)) least = right;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #timeAt(at: number): number {
    return this.#heap[at]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const one = this.#heap[a];
    const other = this.#heap[b];
    if (!one || !other) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}
