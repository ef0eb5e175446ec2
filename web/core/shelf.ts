// Larger things that a browser keeps for one person, in its own database. A browser that keeps
// nothing works all the same: what is kept is then gone with the page.

const database = "sluice";
const version = 1;

/** One of them: found by its owner and its id, the one that changed last first. */
export interface Shelved {
  owner: string;
  id: string;
  changedMs: number;
}

function opened(name: string): Promise<IDBObjectStore> {
  const request = indexedDB.open(database, version);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("talk", { keyPath: ["owner", "id"] });
  };
  return answerOf(request).then((result) => {
    // Closed by the browser once its work is done.
    const store = result.transaction(name, "readwrite").objectStore(name);
    store.transaction.oncomplete = () => result.close();
    return store;
  });
}

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error(database));
  });
}

/** Empty where the browser keeps nothing. */
export async function shelved<One extends Shelved>(name: "talk", owner: string): Promise<One[]> {
  try {
    const store = await opened(name);
    const all = await answerOf(store.getAll(IDBKeyRange.bound([owner], [owner, []])));
    return (all as One[]).sort((one, other) => other.changedMs - one.changedMs);
  } catch {
    return [];
  }
}

/** Keeps it; of what one person has only the `most` that changed last stay. */
export async function shelve(name: "talk", one: Shelved, most: number): Promise<boolean> {
  try {
    const all = await shelved(name, one.owner);
    const over = all.filter(({ id }) => id !== one.id).slice(most - 1);
    for (const { owner, id } of over) await unshelve(name, owner, id);
    await answerOf((await opened(name)).put(one));
    return true;
  } catch {
    return false;
  }
}

export async function unshelve(name: "talk", owner: string, id: string): Promise<void> {
  try {
    await answerOf((await opened(name)).delete([owner, id]));
  } catch {
    // Nothing is kept here, so nothing is there to be taken away.
  }
}
