// Unasked work of models, as their names tell: some search the web before they answer and read what
// they find, some think first and count that as their answer.
import { remembered } from "./remembered.ts";

/** A window of each, which all that one of its searches brings has to fit into. */
const readers: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/(?:^|\/)compound(?:-|$)/, 131_072],
  [/(?:^|[-/])deep-research(?:-|$)/, 200_000],
];

/** The most that a model reads besides what it is sent. */
export const unaskedTokensOf = remembered(
  (model) => readers.find(([name]) => name.test(model))?.[1] ?? 0,
);

/**
 * Perplexity searches before it answers, and for research as often as it sees fit: there is no
 * limit that it names, and 30 is what it reckons with itself.
 */
const searchers: readonly (readonly [name: RegExp, searches: number])[] = [
  [/(?:^|\/)(?:sonar|perplexity)[\w.-]*deep-research(?:-|$)/, 30],
  [/(?:^|\/)sonar(?:-|$)/, 1],
];

/** The searches of a model that are held for, where its vendor counts them. */
export const unaskedSearchesOf = remembered(
  (model) => searchers.find(([name]) => name.test(model))?.[1] ?? 0,
);

const thinkers = [
  /(?:^|[-/])(?:o[134]|r1|qwq|gpt-5|gpt-oss|magistral)(?:[-.:]|$)/,
  /thinking|reason|deepseek-v(?:3\.[12]|[4-9])|qwen-?[3-9]|glm-(?:4\.[5-9]|[5-9])|kimi-k2\.[5-9]/,
  /grok-(?:3-mini|[4-9])|minimax-m|doubao-(?:seed|1[.-][56])|seed-(?:oss|[12])/,
];

/** Whether it may think before it answers, though its vendor does not tell how much. */
export const mayThink = remembered((model) =>
  thinkers.some((name) => name.test(model.toLowerCase())),
);
