// Things that the palette finds by their names, and keys by their text, which stays in the page.
import { useEffect, useState } from "preact/hooks";
import { get } from "../core/control.ts";
import { digestOf, keyIn } from "../core/key-text.ts";
import { may } from "../core/session.ts";
import { wordsReady } from "../core/words.ts";

export interface Found {
  page: "people" | "keys" | "channels" | "models" | "settings";
  id: string;
  label: string;
  /** Owner of a key, key of a setting. */
  note: string | null;
}

const mostOfEach = 5;
const pauseMs = 150;
const shortest = 2;

/** Things whose names begin so; none while they are awaited. */
export function useFound(text: string): readonly Found[] {
  const [found, setFound] = useState<readonly Found[]>([]);
  useEffect(() => {
    setFound([]);
    if (text.length < shortest) return;
    let isWanted = true;
    const parts: (readonly Found[])[] = [];
    const show = (at: number, some: readonly Found[]) => {
      parts[at] = some;
      if (isWanted) setFound(parts.flat());
    };
    const timer = setTimeout(() => {
      // One that fails keeps nothing from the others.
      for (const [at, finding] of findAll(text).entries())
        finding.then(
          (some) => show(at, some),
          () => {},
        );
    }, pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  return found;
}

/** The text of a key is looked for by its digest alone. */
function findAll(text: string): Promise<Found[]>[] {
  const key = keyIn(text);
  if (key !== null) return [digestOf(key).then((digest) => findKeys({ digest }))];
  const query = { q: text, page_size: mostOfEach };
  const own = [findKeys(query), findModels(query)];
  return [
    ...(may("people.read") ? [findPeople(query)] : []),
    ...(may("channels.read") ? [findChannels(query)] : []),
    ...(may("settings.read") ? [findSettings(text)] : []),
    ...own,
  ];
}

interface Search {
  q: string;
  page_size: number;
}

async function findPeople(query: Search): Promise<Found[]> {
  const { items } = await get("GET /api/user", { query });
  return items.map(({ id, username }) => ({ page: "people", id, label: username, note: null }));
}

async function findChannels(query: Search): Promise<Found[]> {
  const { items } = await get("GET /api/channel", { query });
  return items.map(({ id, name }) => ({ page: "channels", id, label: name, note: null }));
}

async function findModels(query: Search): Promise<Found[]> {
  const { items } = await get("GET /api/model", { query });
  return items.map(({ id }) => ({ page: "models", id, label: id, note: null }));
}

/** Found by the names that the page of settings has for them, or by their keys. */
async function findSettings(text: string): Promise<Found[]> {
  const [{ items }, { labelOf }] = await Promise.all([
    get("GET /api/setting"),
    import("../pages/settings/labels/words.ts"),
  ]);
  await wordsReady();
  const wanted = text.toLowerCase();
  return items
    .map(({ name }) => ({ name, label: labelOf(name) }))
    .filter(({ name, label }) => `${name} ${label ?? ""}`.toLowerCase().includes(wanted))
    .slice(0, mostOfEach)
    .map(({ name, label }) => {
      const note = label === null ? null : name;
      return { page: "settings", id: name, label: label ?? name, note };
    });
}

async function findKeys(query: Search | { digest: string }): Promise<Found[]> {
  const { items } = await get("GET /api/token", { query });
  return items.map(({ id, name, account }) => ({ page: "keys", id, label: name, note: account }));
}
