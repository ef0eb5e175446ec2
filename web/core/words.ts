// Every text a person reads, in both languages, beside the page that shows it. A language that
// lacks a text, or has one with other arguments, does not compile.
import { signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

export type Language = "en" | "zh";

export type Text = string | ((...values: never[]) => string) | { readonly [name: string]: Text };
/** The same keys, and of each text the same arguments. */
export type Same<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string
    ? string
    : Texts[Key] extends (...values: never[]) => string
      ? Texts[Key]
      : Same<Texts[Key]>;
};

const preferred: Language = /^zh\b/.test(navigator.language) ? "zh" : "en";
export const language = signal<Language>(kept("language", ["en", "zh"]) ?? preferred);

export function setLanguage(next: Language): void {
  keep("language", next);
  showLanguage(next);
  language.value = next;
}

/** Before anyone has chosen: what the operator of the gateway has as its language. */
export function suggestLanguage(next: Language): void {
  if (kept("language", ["en", "zh"]) !== null || preferred === "zh") return;
  showLanguage(next);
  language.value = next;
}

export function showLanguage(next: Language): void {
  document.documentElement.lang = next === "zh" ? "zh-CN" : "en";
}

/** `const t = words({...}, {...})`, then `t().save` inside a component follows the language. */
export function words<Texts extends Record<string, Text>>(en: Texts, zh: Same<Texts>): () => Texts {
  const both = { en, zh: zh as Texts };
  return () => both[language.value];
}
