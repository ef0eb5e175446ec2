// Tokens of a family of models for each token of the encoding that is counted by here (o200k), at
// most, in percent. It is about Latin text and code as JSON has them: other scripts are not
// counted. docs/money.md has where the figures come from, and `test/golden/token-factors.test.ts`
// what can be measured.
import { remembered } from "./remembered.ts";

const percents: readonly (readonly [name: RegExp, percent: number])[] = [
  [/(?:^|[-/])(?:gpt-(?:3\.5|[4-9]|oss)|chatgpt|codex|o[1-9](?:-|$)|text-embedding-)/, 125],
  [/claude/, 175],
  [/gemini|gemma|deepseek|qwen|qwq|glm-|kimi|moonshot|minimax|doubao|(?:^|[-/])seed-/, 150],
  [/llama-?[3-9]|grok|(?:mis|minis|codes|devs|magis)tral|hunyuan|ernie|step-|mimo/, 150],
];

/** Factor of a name that tells no family. */
const percentUnknown = 200;

export const tokenPercentOf = remembered((model) => {
  const name = model.toLowerCase();
  return percents.find(([family]) => family.test(name))?.[1] ?? percentUnknown;
});
