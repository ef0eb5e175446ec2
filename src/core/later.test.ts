import { describe, expect, test } from "bun:test";
import { Later, taken } from "./later.ts";

const nobody = () => {
  throw new Error("nobody is to be told");
};

describe("what only promises", () => {
  test("is asked once for each value, and told when there is one", async () => {
    const asked: ((value: { at: number }) => void)[] = [];
    const later = new Later(() => new Promise<{ at: number }>((resolve) => asked.push(resolve)));
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    expect(later.take(nobody)).toBeUndefined();
    // The last to ask is told.
    expect(later.take(tell)).toBeUndefined();
    expect(asked).toHaveLength(1);
    asked[0]?.({ at: 1 });
    await told;
    expect(later.take(nobody)).toEqual({ at: 1 });
    expect(asked).toHaveLength(1);
    expect(later.take(nobody)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  test("throws what went wrong, once, and may be asked again", async () => {
    const answers = [Promise.reject(new Error("once")), Promise.resolve({ at: 2 })];
    const later = new Later(() => answers.shift() ?? Promise.resolve({ at: 3 }));
    await new Promise<void>((resolve) => later.take(resolve));
    expect(() => later.take(nobody)).toThrow("once");
    expect(await taken((ready) => later.take(ready))).toEqual({ at: 2 });
    expect(await taken((ready) => later.take(ready))).toEqual({ at: 3 });
  });
});

describe("what is taken", () => {
  test("comes at once where it is there", async () => {
    expect(await taken(() => ({ at: 1 }))).toEqual({ at: 1 });
  });

  test("is asked for again until it is there", async () => {
    let ready = nobody as () => void;
    const values: { at: number }[] = [];
    const taking = taken((tell) => {
      ready = tell;
      return values[0];
    });
    ready();
    values.push({ at: 1 });
    ready();
    expect(await taking).toEqual({ at: 1 });
  });

  test("fails with what is thrown, at once or later", async () => {
    const fails = taken(() => {
      throw new Error("at once");
    });
    expect(fails).rejects.toThrow("at once");
    let ready = nobody as () => void;
    let isBroken = false;
    const later = taken((tell) => {
      ready = tell;
      if (isBroken) throw new Error("later");
      return undefined;
    });
    isBroken = true;
    ready();
    expect(later).rejects.toThrow("later");
  });
});
