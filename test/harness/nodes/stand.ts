// Fixture that a file of tests starts once: begun before the first test and ended after the last,
// in one line. At the top of a file; what was begun last is ended first.
import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";

type Ending = () => unknown;
const endings: Ending[] = [];
/** A machine may be busy with other things: only what hangs is to fail. */
const testMsMax = 60_000;

function endLast(ending: Ending): void {
  setDefaultTimeout(testMsMax);
  endings.push(ending);
  afterAll(async () => {
    await endings.pop()?.();
  });
}

/** There at once, and ended with the tests. */
export function kept<Thing extends Disposable | AsyncDisposable>(thing: Thing): Thing {
  endLast(() =>
    Symbol.asyncDispose in thing ? thing[Symbol.asyncDispose]() : thing[Symbol.dispose](),
  );
  return thing;
}

/** Started before the tests; until then nothing of it can be asked for. */
export function useStand<Stand extends AsyncDisposable>(start: () => Promise<Stand>): Stand {
  let stand: Stand | null = null;
  // First, as it sets the time that the start may take as well.
  endLast(() => stand?.[Symbol.asyncDispose]());
  beforeAll(async () => {
    stand = await start();
  });
  function started(): Stand {
    if (!stand) throw new Error("this stand is not started yet: ask for it within a test");
    return stand;
  }
  return new Proxy<Stand>(Object.create(null), {
    get(_, name) {
      const value: unknown = Reflect.get(started(), name, stand);
      return typeof value === "function" ? value.bind(stand) : value;
    },
    set: (_, name, value) => Reflect.set(started(), name, value),
  });
}
