// Text by people that may be Markdown: what draws it is fetched where there is a mark in the text.
import { loadStyle } from "../../core/style.ts";
import { later } from "../later.tsx";

const load = async () => {
  const [drawing] = await Promise.all([import("./markdown.tsx"), loadStyle("markdown")]);
  return drawing;
};
const Whole = later(async () => (await load()).Markdown);
const Line = later(async () => (await load()).MarkdownLine);

const mark = /[*_`~[\]#>|]|https?:\/\/|^\s*(?:[-+]|\d+[.)])\s|\n/m;

export function isMarked(text: string): boolean {
  return mark.test(text);
}

interface ToldOptions {
  text: string;
  /** All of it in one line. */
  isLine?: boolean;
}

export function Told({ text, isLine = false }: ToldOptions) {
  if (!isMarked(text)) return text;
  return isLine ? <Line text={text} /> : <Whole text={text} level={2} />;
}
