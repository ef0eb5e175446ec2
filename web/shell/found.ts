// Things that the palette finds by their names, and keys by their text, which stays in the page.
import { useEffect, useState } from "preact/hooks";
import { get } from "../core/control.ts";
import { may } from "../core/session.ts";

export interface Found {
  page: "people" | "keys" | "channels" | "models" | "settings";
  id: string;
  label: string;
  /** Owner of a key. */
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

/** False for a key's text where the browser makes no digests: not on https, nor this machine. */
export function mayFind(text: string): boolean {
  return isSecureContext || !isKeyText(text);
}

const isKeyText = (text: string) => text.startsWith("sk-");

/** The text of a key is looked for by its digest alone. */
function findAll(text: string): Promise<Found[]>[] {
  if (isKeyText(text)) return [findByText(text)];
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

async function findSettings(text: string): Promise<Found[]> {
  const { items } = await get("GET /api/setting");
  return items
    .filter(({ name }) => name.includes(text.toLowerCase()))
    .slice(0, mostOfEach)
    .map(({ name }) => ({ page: "settings", id: name, label: name, note: null }));
}

async function findKeys(query: Search | { digest: string }): Promise<Found[]> {
  const { items } = await get("GET /api/token", { query });
  return items.map(({ id, name, account }) => ({ page: "keys", id, label: name, note: account }));
}

async function findByText(text: string): Promise<Found[]> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0"));
  return await findKeys({ digest: hex.join("") });
}
