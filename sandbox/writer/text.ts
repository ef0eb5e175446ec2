// Plausible prose about the prompt's own words, of a set length.
import { createDraw, type Draw } from "./seed.ts";

const sentences = [
  "The short answer is that {a} matters more than it seems at first.",
  "Most people start with {a} and only later think of {b}.",
  "It helps to look at {a} on its own before {b} comes into play.",
  "In practice {a} depends on the time, the place and the people involved.",
  "A careful reader will notice that {b} follows from {a}.",
  "There are good reasons to keep {a} simple and to leave {b} for later.",
  "If {a} is what you care about, begin there and change one thing at a time.",
  "Compare {a} with {b} and the difference becomes clear.",
  "None of this is certain, but {a} has worked well before.",
  "When in doubt, write down what you expect of {a} and check it.",
  "The part about {b} is often misunderstood, so take it slowly.",
  "That is usually enough to get from {a} to a first result.",
];

/** Words that say nothing of what a prompt is about. */
const fillerWords =
  "about could does explain have please should tell that there " +
  "this what when where which with would";
const fillers = new Set(fillerWords.split(" "));
const topicsMax = 8;
const topicCharactersMax = 24;

/** The words of a prompt that an answer may talk about; never empty. */
function topicsOf(text: string): string[] {
  const all = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const long = all.filter((word) => word.length > 3 && !fillers.has(word.toLowerCase()));
  const words = long.length > 0 ? long : all;
  const short = words.map((word) => [...word].slice(0, topicCharactersMax).join(""));
  const topics = [...new Set(short)].slice(0, topicsMax);
  return topics.length > 0 ? topics : ["this"];
}

export function writeProse(prompt: string, seed: number, words: number): string {
  const topics = topicsOf(prompt);
  const draw = createDraw(seed);
  const written = openingFor(topics).split(" ");
  while (written.length < words) written.push(...sentenceAbout(topics, draw).split(" "));
  const text = written.slice(0, Math.max(1, words)).join(" ");
  return `${text.replace(/[.,]$/, "")}.`;
}

/** A few words for a value that should look as if it came from the prompt. */
export function writeName(prompt: string, draw: Draw): string {
  // Text in backquotes is wanted word by word.
  const quotes = Array.from(prompt.matchAll(/`([^`\n]+)`/g), ([, quote = ""]) => quote);
  if (quotes.length > 0) return draw(quotes) ?? "";
  // A capital inside a sentence mostly marks what the sentence is about.
  const names = prompt.match(/(?<=[^.!?\s]\s+)\p{Lu}[\p{L}\p{N}]+/gu) ?? [];
  return draw(names.length > 0 ? names : topicsOf(prompt)) ?? "this";
}

function openingFor(topics: string[]): string {
  const [first, second, third] = topics;
  if (second === undefined) return `You asked about ${first}.`;
  if (third === undefined) return `You asked about ${first} and ${second}.`;
  return `You asked about ${first}, ${second} and ${third}.`;
}

function sentenceAbout(topics: string[], draw: Draw): string {
  const sentence = draw(sentences) ?? "";
  return sentence
    .replace("{a}", () => draw(topics) ?? "this")
    .replace("{b}", () => draw(topics) ?? "that");
}
