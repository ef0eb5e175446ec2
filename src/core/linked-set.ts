// A set of what comes and goes with every request, in the order of its coming. The platform's Set
// moves to a new table every few dozen requests, and each table keeps the one after it: as soon as
// one of them is old, all that stood in the later ones outlives every collection but a full one.

/** An item that can be in one such set at a time; only the set writes here. */
export interface Linked<Item> {
  next: Item | null;
  previous: Item | null;
}

export class LinkedSet<Item extends Linked<Item>> {
  #first: Item | null = null;
  #last: Item | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The one that has been in it the longest. */
  get first(): Item | null {
    return this.#first;
  }

  /** All that are in it now, for who may take some out while looking. */
  all(): Item[] {
    const items: Item[] = [];
    for (let item = this.#first; item; item = item.next) items.push(item);
    return items;
  }

  add(item: Item): void {
    const last = this.#last;
    item.previous = last;
    if (last) last.next = item;
    else this.#first = item;
    this.#last = item;
    this.#size++;
  }

  /** False for what is not in it. */
  delete(item: Item): boolean {
    const { next, previous } = item;
    if (previous) previous.next = next;
    else if (this.#first === item) this.#first = next;
    else return false;
    if (next) next.previous = previous;
    else this.#last = previous;
    // A removed item must not lead to those that come later.
    item.next = null;
    item.previous = null;
    this.#size--;
    return true;
  }
}
