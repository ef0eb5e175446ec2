// A store through which every commit carries some more statements, whole with it or not at all.
import type { Statement, Store } from "./store.ts";

/** `committed` is called when such a commit is done. */
export function accompany(
  store: Store,
  carried: readonly Statement[],
  committed = () => {},
): Store {
  return {
    sharing: store.sharing,
    dialect: store.dialect,
    read: (query) => store.read(query),
    append: (run, gate) => store.append(run, gate),
    commit: async ({ statements = [], ...commit }) => {
      const rows = await store.commit({ ...commit, statements: [...statements, ...carried] });
      committed();
      return rows.slice(0, statements.length);
    },
    applied: () => store.applied(),
    logApplied: () => store.logApplied(),
    readLog: (query) => store.readLog(query),
    writeLog: (commit) => store.writeLog(commit),
    close: () => store.close(),
  };
}
