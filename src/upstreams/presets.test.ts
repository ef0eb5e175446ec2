import { expect, test } from "bun:test";
import { upstreams } from "./index.ts";
import { presets } from "./presets.ts";
import type { FormatName } from "../formats/format.ts";

const chat = "/chat/completions";

const vertex = "https://aiplatform.googleapis.com";
const place = "projects/mine/locations/global";

/** Addresses to which each vendor's own documentation sends a chat. */
const documented: Readonly<Record<string, string>> = {
  openai: `https://api.openai.com/v1${chat}`,
  anthropic: "https://api.anthropic.com/v1/messages",
  google: "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
  deepseek: `https://api.deepseek.com/v1${chat}`,
  moonshot: `https://api.moonshot.ai/v1${chat}`,
  zhipu: `https://open.bigmodel.cn/api/paas/v4${chat}`,
  dashscope: `https://dashscope.aliyuncs.com/compatible-mode/v1${chat}`,
  volcengine: `https://ark.cn-beijing.volces.com/api/v3${chat}`,
  minimax: `https://api.minimax.io/v1${chat}`,
  siliconflow: `https://api.siliconflow.cn/v1${chat}`,
  xai: `https://api.x.ai/v1${chat}`,
  mistral: `https://api.mistral.ai/v1${chat}`,
  groq: `https://api.groq.com/openai/v1${chat}`,
  together: `https://api.together.xyz/v1${chat}`,
  fireworks: `https://api.fireworks.ai/inference/v1${chat}`,
  openrouter: `https://openrouter.ai/api/v1${chat}`,
  perplexity: `https://api.perplexity.ai${chat}`,
  cohere: `https://api.cohere.ai/compatibility/v1${chat}`,
  zai: `https://api.z.ai/api/paas/v4${chat}`,
  cerebras: `https://api.cerebras.ai/v1${chat}`,
  nvidia: `https://integrate.api.nvidia.com/v1${chat}`,
  deepinfra: `https://api.deepinfra.com/v1/openai${chat}`,
  novita: `https://api.novita.ai/openai/v1${chat}`,
  nebius: `https://api.tokenfactory.nebius.com/v1${chat}`,
  baidu: `https://qianfan.baidubce.com/v2${chat}`,
  tencent: `https://api.hunyuan.cloud.tencent.com/v1${chat}`,
  stepfun: `https://api.stepfun.com/v1${chat}`,
  azure: `https://mine.openai.azure.com/openai/v1${chat}`,
  "azure-responses": "https://mine.openai.azure.com/openai/v1/responses",
  "azure-claude": "https://mine.services.ai.azure.com/anthropic/v1/messages",
  vertex: `${vertex}/v1beta1/${place}/publishers/google/models/m:generateContent`,
  "vertex-claude": `${vertex}/v1/${place}/publishers/anthropic/models/m:rawPredict`,
  "vertex-open": `${vertex}/v1/${place}/endpoints/openapi${chat}`,
  bedrock: "https://bedrock-runtime.mine.amazonaws.com/model/m/invoke",
  "bedrock-converse": "https://bedrock-runtime.mine.amazonaws.com/model/m/converse",
  "bedrock-mantle": `https://bedrock-mantle.mine.api.aws/v1${chat}`,
  "aws-claude": "https://aws-external-anthropic.mine.api.aws/v1/messages",
  "bedrock-mantle-claude": "https://bedrock-mantle.mine.api.aws/anthropic/v1/messages",
  ollama: `http://127.0.0.1:11434/v1${chat}`,
  vllm: `http://127.0.0.1:8000/v1${chat}`,
  lmstudio: `http://127.0.0.1:1234/v1${chat}`,
  sglang: `http://127.0.0.1:30000/v1${chat}`,
  xinference: `http://127.0.0.1:9997/v1${chat}`,
};

/** Those that do not take the key as a bearer token. */
const otherKeys: Readonly<Record<string, string>> = {
  anthropic: "x-api-key",
  azure: "api-key",
  "azure-responses": "api-key",
  "azure-claude": "x-api-key",
  google: "x-goog-api-key",
  vertex: "x-goog-api-key",
  "vertex-claude": "x-goog-api-key",
  "vertex-open": "x-goog-api-key",
  "aws-claude": "x-api-key",
};

function addressOf({ type, format, baseUrl }: (typeof presets)[number]) {
  const facet = upstreams[type]?.text;
  const spoken: FormatName = facet?.formats(format)[0] ?? "chat";
  const ask = { format: spoken, action: "generate", model: "m", stream: false } as const;
  const own = baseUrl.replace(/\{\w+\}/, "mine");
  const target = { baseUrl: own, key: "k", headers: {}, vendor: { project: "mine" } };
  return facet?.address({ ...ask, wireHeaders: {} }, target);
}

test("each known vendor is asked at the address that it documents", () => {
  const found = presets.map((preset) => [preset.name, addressOf(preset)?.url]);
  expect(Object.fromEntries(found)).toEqual(documented);
});

test("each known vendor is given its key where it reads it", () => {
  for (const preset of presets) {
    const { authorization, ...others } = addressOf(preset)?.headers ?? {};
    const header = otherKeys[preset.name];
    expect([preset.name, authorization]).toEqual([preset.name, header ? undefined : "Bearer k"]);
    if (header) expect(others).toMatchObject({ [header]: "k" });
  }
});
