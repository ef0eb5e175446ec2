import { expect, test } from "bun:test";
import { upstreams } from "./index.ts";
import { presets } from "./presets.ts";
import type { FormatName } from "../formats/format.ts";

const chat = "/chat/completions";

/** Where each vendor's own documentation sends a chat. */
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
  ollama: `http://127.0.0.1:11434/v1${chat}`,
  vllm: `http://127.0.0.1:8000/v1${chat}`,
  lmstudio: `http://127.0.0.1:1234/v1${chat}`,
};

test("each known vendor is asked at the address that it documents", () => {
  const found = presets.map(({ name, type, format, baseUrl }) => {
    const facet = upstreams[type]?.text;
    const spoken: FormatName = facet?.formats(format)[0] ?? "chat";
    const ask = { format: spoken, action: "generate", model: "m", stream: false } as const;
    const address = facet?.address({ ...ask, wireHeaders: {} }, { baseUrl, key: "k", headers: {} });
    return [name, address?.url];
  });
  expect(Object.fromEntries(found)).toEqual(documented);
});
