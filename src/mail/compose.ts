// A letter as text and as its plain HTML twin: no pictures, nothing that is fetched, nothing that
// tells who read it.
import type { Letter, LetterKind, LetterOf } from "./letter.ts";
import { chinese } from "./words/chinese.ts";
import { english } from "./words/english.ts";
import type { MailWords, LetterWords } from "./words/wording.ts";

interface Composed {
  subject: string;
  text: string;
  html: string;
}

interface Style {
  /** Name of the gateway. */
  site: string;
  /** Plain text of the operator under each letter. */
  footer: string | null;
}

/** English stands in for a language that has no letters. */
function wordsFor(language: string): { words: MailWords; lang: string } {
  const isChinese = /^zh\b/.test(language);
  return isChinese ? { words: chinese, lang: "zh-CN" } : { words: english, lang: "en" };
}

export function compose(letter: Letter, language: string, { site, footer }: Style): Composed {
  const { words, lang } = wordsFor(language);
  const wording = wordingOf(words, letter, site);
  return {
    subject: oneLine(wording.subject),
    text: textOf(wording, footer),
    html: htmlOf(wording, { lang, footer }),
  };
}

function wordingOf<Kind extends LetterKind>(
  words: MailWords,
  letter: LetterOf<Kind>,
  site: string,
): LetterWords {
  return words[letter.kind](letter.facts, site);
}

/** Names of people are in it: no break of a line may begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

function textOf({ before, url, code, after = [] }: LetterWords, footer: string | null): string {
  const parts = [...before, url, code, ...after, footer === null ? undefined : `-- \n${footer}`];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}

function htmlOf(
  { before, url, code, after = [] }: LetterWords,
  { lang, footer }: { lang: string; footer: string | null },
): string {
  const paragraph = (inner: string) => `<p>${inner}</p>`;
  const link = (address: string) => `<a href="${escape(address)}">${escape(address)}</a>`;
  const parts = [
    ...before.map(escape),
    ...(url === undefined ? [] : [link(url)]),
    ...(code === undefined ? [] : [`<b>${escape(code)}</b>`]),
    ...after.map(escape),
    ...(footer === null ? [] : [`-- <br>${escape(footer).replaceAll("\n", "<br>")}`]),
  ];
  const body = parts.map(paragraph).join("\n");
  return `<!doctype html>\n<html lang="${lang}">\n<body>\n${body}\n</body>\n</html>\n`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
