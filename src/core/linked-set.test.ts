import { expect, test } from "bun:test";
import fc from "fast-check";
import { LinkedSet, type Linked } from "./linked-set.ts";

class Item implements Linked<Item> {
  next: Item | null = null;
  previous: Item | null = null;
}

test("it has what a Set has, in the same order, after any adding and deleting", () => {
  const steps = fc.array(fc.record({ at: fc.nat(7), isAdded: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (taken) => {
      const items = Array.from({ length: 8 }, () => new Item());
      const linked = new LinkedSet<Item>();
      const model = new Set<Item>();
      for (const { at, isAdded } of taken) {
        const item = items[at] ?? new Item();
        if (!isAdded) expect(linked.delete(item)).toBe(model.delete(item));
        else if (!model.has(item)) {
          linked.add(item);
          model.add(item);
        }
        expect(linked.all()).toEqual([...model]);
        expect(linked.size).toBe(model.size);
      }
    }),
  );
});

test("what was deleted leads to nothing that is still in it", () => {
  const linked = new LinkedSet<Item>();
  const [first, middle, last] = [new Item(), new Item(), new Item()];
  for (const item of [first, middle, last]) linked.add(item);
  linked.delete(middle);
  expect(middle).toEqual(new Item());
  expect(linked.all()).toEqual([first, last]);
});
