// Texts that people read. The English ones stand beside what shows them; those of every other
// language are in its one file, fetched part by part when that language is chosen.
import { signal } from "@preact/signals";
import { keep, keptText } from "./kept.ts";

/** A count, and what follows from it, may be among the values of a text. */
export type Text = string | ((...values: never[]) => string) | { readonly [name: string]: Text };
export type Texts = Readonly<Record<string, Text>>;

/** Facts of a language, known before its words are there. */
export interface LanguageEntry {
  tag: string;
  /** In the language itself. */
  name: string;
  /** For dates and numbers. */
  locale: string;
  /** Direction of its script. */
  dir: "ltr" | "rtl";
  /** Begins the names of its files. */
  file: string;
}

/** Made by the build of `web/languages`; what runs without a build has English alone. */
declare global {
  var LANGUAGES: readonly LanguageEntry[] | undefined;
}
const english: LanguageEntry = {
  tag: "en",
  name: "English",
  locale: "en-US",
  dir: "ltr",
  file: "",
};
export const languages: readonly LanguageEntry[] = [english, ...(globalThis.LANGUAGES ?? [])];
const folder = "/console-assets/";

/** Parts that loaded files have words of, each with the texts of its sections. */
const wanted = new Set<string>();
const arrived = new Map<string, Promise<void>>();
const tables = new Map<string, Readonly<Record<string, Texts>>>();

function tagOf(wish: string): string | null {
  const [base] = wish.toLowerCase().split("-", 1);
  return languages.find(({ tag }) => tag === wish || tag === base)?.tag ?? null;
}

/** The first language of the browser that there is. */
function preferred(): string | null {
  return navigator.languages.map(tagOf).find((tag) => tag !== null) ?? null;
}

/** The choice in this browser. */
const kept = () => tagOf(keptText("language") ?? "");
/** Turned when the words are there. */
export const language = signal("en");
let aim = "en";

export async function setLanguage(next: string): Promise<void> {
  keep("language", next);
  await turnTo(next);
}

/** Before anyone has chosen: what the operator of the gateway has as its language. */
export async function suggestLanguage(next: string): Promise<void> {
  const tag = tagOf(next);
  if (kept() === null && aim === "en" && tag !== null) await turnTo(tag);
}

/** Choice of the account that is signed in, where nothing was chosen in this browser. */
export async function recallLanguage(next: string): Promise<void> {
  const tag = tagOf(next);
  if (kept() === null && tag !== null) await turnTo(tag);
}

/** At the start: the language that was chosen here, or that the browser asks for. */
export async function startLanguage(): Promise<void> {
  await turnTo(kept() ?? preferred() ?? "en");
}

/** Brings the words of all parts that are loaded by now, then turns. */
async function turnTo(next: string): Promise<void> {
  aim = next;
  await wordsReady();
  // Another one may have been chosen meanwhile.
  if (aim !== next) return;
  const { locale, dir } = entryOf(next);
  document.documentElement.lang = locale;
  document.documentElement.dir = dir;
  language.value = next;
}

/** To be waited for behind the import of whatever has words. */
export async function wordsReady(): Promise<void> {
  if (aim === "en") return;
  await Promise.all([...wanted].map((part) => fetchPart(aim, part)));
}

function fetchPart(tag: string, part: string): Promise<void> {
  const name = `${tag} ${part}`;
  const fetched = arrived.get(name) ?? importPart(tag, part);
  arrived.set(name, fetched);
  // English stands in until the next try.
  fetched.catch(() => arrived.delete(name));
  return fetched.catch(() => undefined);
}

async function importPart(tag: string, part: string): Promise<void> {
  const address = `${folder}${entryOf(tag).file}-${part}.js`;
  const { words: table } = (await import(address)) as { words: Readonly<Record<string, Texts>> };
  putWords(tag, part, table);
}

export function putWords(tag: string, part: string, table: Readonly<Record<string, Texts>>): void {
  tables.set(`${tag} ${part}`, table);
}

export function entryOf(tag: string): LanguageEntry {
  return languages.find((entry) => entry.tag === tag) ?? english;
}

/** Called by components for their texts; has the English that every language answers to. */
export interface Words<Own extends Texts, All = Own> {
  (): All;
  readonly part: string;
  readonly section: string;
  readonly en: Own;
}

/** `const t = words("frame", "kit", {...})`; then `t().save` in a component is in the language. */
export function words<Own extends Texts>(part: string, section: string, en: Own): Words<Own> {
  wanted.add(part);
  const tableNow = () => tables.get(`${language.value} ${part}`)?.[section];
  return withEnglish(
    once(tableNow, (table) => (table ? over(en, table) : en)),
    { part, section, en },
  );
}

export function withEnglish<Own extends Texts, All>(
  read: () => All,
  { part, section, en }: Pick<Words<Own>, "part" | "section" | "en">,
): Words<Own, All> {
  const texts = () => read();
  texts.part = part;
  texts.section = section;
  texts.en = en;
  return texts;
}

/** Makes it anew where what it is made of is another than the last time. */
export function once<From, To>(from: () => From, make: (from: From) => To): () => To {
  let last: { from: From; made: To } | null = null;
  return () => {
    const now = from();
    if (last === null || last.from !== now) last = { from: now, made: make(now) };
    return last.made;
  };
}

/** Texts of a language; where it lacks one, the English. */
function over<Own extends Texts>(own: Own, table: Texts): Own {
  const filled = Object.entries(table).map(([name, text]) => {
    const original = own[name];
    const isGroup = typeof text === "object" && typeof original === "object";
    return [name, isGroup ? over(original, text) : text] as const;
  });
  return { ...own, ...Object.fromEntries(filled) };
}
