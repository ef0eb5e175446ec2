// A mutex by topic: read-modify-write changes run one after the other, so that no two decide on the
// same old state and memory never ends up behind the database. Where nodes share the database, they
// take turns with each other as well.
import type { Store } from "../store/store.ts";

const waiting = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * Runs the work when everything of its topic before it has ended. Not reentrant.
 * Accounts, keys and groups depend on each other and are one topic, `identity`.
 */
export async function exclusively<Result>(
  { store }: { store: Store },
  topic: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let topics = waiting.get(store);
  if (!topics) waiting.set(store, (topics = new Map()));
  const before = topics.get(topic) ?? Promise.resolve();
  const { sharing } = store;
  const turn = before.then(sharing ? () => sharing.exclusively(topic, work) : work);
  // A turn's ending is its own caller's concern, not the next one's.
  const ended = turn.catch(() => {});
  topics.set(topic, ended);
  try {
    return await turn;
  } finally {
    if (topics.get(topic) === ended) topics.delete(topic);
  }
}
