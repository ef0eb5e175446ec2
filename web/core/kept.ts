// Preferences that a browser keeps for one person: how things look, never anything secret. A
// browser that keeps nothing still shows everything.

const prefix = "sluice.";

/** Null where nothing of those words is kept. */
export function kept<Word extends string>(name: string, known: readonly Word[]): Word | null {
  const text = keptText(name);
  return known.find((word) => word === text) ?? null;
}

export function keptText(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(prefix + name, text);
  } catch {
    // Full or forbidden: it holds until the page is closed.
  }
}

/** Kept list, without what is no longer read as one of its things. */
export function keptList<One>(name: string, read: (value: unknown) => One | null): One[] {
  try {
    const all = JSON.parse(keptText(name) ?? "[]") as unknown;
    return Array.isArray(all) ? all.map(read).filter((one) => one !== null) : [];
  } catch {
    return [];
  }
}
