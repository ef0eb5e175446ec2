// The most that a model answers, as data: by the family that its name begins with, so that dated
// names and those of resellers fall to their base. The first row that fits counts. Where published
// lists differ (docs/decisions/0030-output-limits.md) the largest stands here: a hold that is too
// high shrinks to what the wallet covers, one that is too low is the operator's loss.
import { catalogueModels } from "./models.ts";
import { claudeRulesOf } from "./rules/claude.ts";
import { remembered } from "./rules/remembered.ts";

const families: readonly (readonly [RegExp, number])[] = [
  // OpenAI
  [/^gpt-3\.?5/, 4097],
  [/^gpt-4-(?:turbo|1106|0125|vision)/, 4096],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4(?![.\do])/, 8192],
  [/^gpt-4\.1/, 32_768],
  [/^gpt-4o-2024-05-13/, 4096],
  [/^(?:chat)?gpt-4(?:o|\.5)/, 16_384],
  [/^gpt-(?:audio|realtime)/, 16_384],
  [/^gpt-5(?:\.[12])?-chat/, 16_384],
  [/^gpt-5-pro/, 272_000],
  [/^gpt-oss/, 131_072],
  [/^gpt-(?:[5-9]|\d\d|chat-latest)/, 128_000],
  [/^o1-preview/, 32_768],
  [/^o1-mini/, 65_536],
  [/^(?:o\d|codex-mini)/, 100_000],
  // Google
  [/^gemini-(?:1|2\.0-flash(?!-thinking)|pro-vision)/, 8192],
  [/^gemini-2\.5-flash-image/, 32_768],
  [/^gemini-4/, 1_048_576],
  [/^gemini-/, 65_536],
  [/^gemma-?[12]/, 8192],
  [/^gemma-?3/, 131_072],
  [/^gemma-?4/, 262_144],
  // DeepSeek; its undated names are whatever is newest.
  [/^deepseek-(?:v3|r1|prover|chat-v3)/, 163_840],
  [/^deepseek-(?:chat|reasoner|flash|v4)/, 393_216],
  // Alibaba; with whoever else runs them, open models have their window.
  [/^qwen-(?:max|plus|flash|turbo|coder|vl|omni|long)/, 32_768],
  [/^qwen3\.8-(?:max|plus|flash|omni)/, 131_072],
  [/^qwen3(?:\.\d)?-(?:max|plus|flash|coder-(?:plus|flash)|vl-(?:plus|flash)|omni)/, 65_536],
  [/^qwen-?(?:1|2)/, 131_072],
  [/^q[wv]q/, 131_072],
  [/^qwen-?\d/, 262_144],
  // Moonshot, Zhipu, MiniMax, ByteDance, Xiaomi, Meituan, Baidu, StepFun
  [/^moonshot-v1-8k/, 8192],
  [/^moonshot-v1-32k/, 32_768],
  [/^(?:moonshot-v1|kimi-(?:latest|thinking))/, 131_072],
  [/^kimi-k2(?!\.[89])/, 262_144],
  [/^kimi-k/, 1_048_576],
  [/^glm-4(?![.p-][5-9])/, 32_768],
  [/^(?:zai-)?glm-/, 131_072],
  [/^minimax-m1/, 131_072],
  [/^minimax-m2/, 204_800],
  [/^minimax-m\d/, 524_288],
  [/^doubao-1/, 16_384],
  [/^doubao-seed-1/, 65_536],
  [/^doubao-seed-2-0/, 131_072],
  [/^doubao-seed/, 262_144],
  [/^(?:mimo|longcat)-/, 131_072],
  [/^ernie-/, 65_536],
  [/^step-/, 262_144],
  // xAI has no bound but the window.
  [/^grok-[23](?!\d)/, 131_072],
  [/^grok-4[.-]1?-?fast/, 2_000_000],
  [/^grok-4\.(?:20|3)/, 1_000_000],
  [/^grok-(?:4(?![.\d])|code)/, 256_000],
  [/^grok-(?:[4-9]|build)/, 524_288],
  // Mistral has none either.
  [/^mistral-large-[4-9]/, 1_048_576],
  [
    /^(?:open-)?(?:mi(?:stral|xtral|nistral)|magistral|devstral|codestral|pixtral|voxtral)/,
    262_144,
  ],
  // Others
  [/^llama-?v?-?4/, 1_048_576],
  [/^llama-?v?-?3[.p-]\d(?!\d*b)/, 131_072],
  [/^llama-?v?-?3/, 8192],
  [/^llama-?v?-?2/, 4096],
  [/^command-a-plus/, 64_000],
  [/^command-a/, 8192],
  [/^command-r/, 4096],
  [/^sonar-pro/, 8192],
  [/^sonar/, 128_000],
  [/^nova-2/, 65_536],
  [/^nova-/, 10_240],
  [/^jamba-/, 262_144],
  [/^nemotron-3/, 1_048_576],
  [/^granite-4/, 131_072],
  [/^phi-4/, 16_384],
];

/** Null where nobody says. */
export const knownOutputTokensMax = remembered((model): number | null => {
  const own = model.slice(model.lastIndexOf("/") + 1);
  const shipped = catalogueModels.get(model) ?? catalogueModels.get(own);
  if (shipped) return shipped.outputTokensMax;
  const name = baseName(own);
  if (name.startsWith("claude")) return claudeRulesOf(name).outputTokensMax;
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? null;
});

/** Without what regions and fine-tuning put before it. */
function baseName(model: string): string {
  return model.toLowerCase().replace(/^(?:ft:)?(?:[a-z]+\.)*/, "");
}
