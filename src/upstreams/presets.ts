// Vendors that a channel can be made for by name: where they are, what wire they speak, and what
// has to be left out of a request there. Data, one row each; every field may be set otherwise.
import type { UpstreamDialect } from "../formats/exchange.ts";

interface Preset {
  name: string;
  /** For people. */
  title: string;
  type: string;
  format: UpstreamDialect | null;
  /** The address; a part in braces is the operator's own, such as the name of its resource. */
  baseUrl: string;
  /** It runs on the operator's own machine, and takes any key. */
  isLocal: boolean;
  /** Fields that it refuses. */
  removes: readonly string[];
}

interface Traits {
  /** Other than the first of its type. */
  format?: UpstreamDialect;
  removes?: readonly string[];
}

type Row = [name: string, title: string, type: string, baseUrl: string, traits?: Traits];

const hosted: readonly Row[] = [
  ["openai", "OpenAI", "openai", "https://api.openai.com/v1"],
  ["anthropic", "Anthropic", "anthropic", "https://api.anthropic.com"],
  ["google", "Google Gemini", "google", "https://generativelanguage.googleapis.com"],
  ["deepseek", "DeepSeek", "openai", "https://api.deepseek.com/v1"],
  ["moonshot", "Moonshot AI", "openai", "https://api.moonshot.ai/v1"],
  ["zhipu", "Zhipu AI", "openai", "https://open.bigmodel.cn/api/paas/v4"],
  ["dashscope", "DashScope", "openai", "https://dashscope.aliyuncs.com/compatible-mode/v1"],
  ["volcengine", "Volcengine Ark", "openai", "https://ark.cn-beijing.volces.com/api/v3"],
  ["minimax", "MiniMax", "openai", "https://api.minimax.io/v1"],
  ["siliconflow", "SiliconFlow", "openai", "https://api.siliconflow.cn/v1"],
  ["xai", "xAI", "openai", "https://api.x.ai/v1"],
  // Its schema is closed, and usage stands at the end of every stream without being asked for.
  [
    "mistral",
    "Mistral AI",
    "openai",
    "https://api.mistral.ai/v1",
    { removes: ["stream_options", "user"] },
  ],
  ["groq", "Groq", "openai", "https://api.groq.com/openai/v1"],
  ["together", "Together AI", "openai", "https://api.together.xyz/v1"],
  ["fireworks", "Fireworks AI", "openai", "https://api.fireworks.ai/inference/v1"],
  ["openrouter", "OpenRouter", "openai", "https://openrouter.ai/api/v1"],
  // It has no version in its address, and no list of models.
  [
    "perplexity",
    "Perplexity",
    "openai",
    "https://api.perplexity.ai/chat/completions",
    { removes: ["stop"] },
  ],
  ["cohere", "Cohere", "openai", "https://api.cohere.ai/compatibility/v1"],
  ["zai", "Z.ai", "openai", "https://api.z.ai/api/paas/v4"],
  ["cerebras", "Cerebras", "openai", "https://api.cerebras.ai/v1"],
  ["nvidia", "NVIDIA NIM", "openai", "https://integrate.api.nvidia.com/v1"],
  // Its version stands before the last part of its address.
  ["deepinfra", "DeepInfra", "openai", "https://api.deepinfra.com/v1/openai/chat/completions"],
  ["novita", "Novita AI", "openai", "https://api.novita.ai/openai/v1"],
  ["nebius", "Nebius Token Factory", "openai", "https://api.tokenfactory.nebius.com/v1"],
  ["baidu", "Baidu Qianfan", "openai", "https://qianfan.baidubce.com/v2"],
  ["tencent", "Tencent Hunyuan", "openai", "https://api.hunyuan.cloud.tencent.com/v1"],
  ["stepfun", "StepFun", "openai", "https://api.stepfun.com/v1"],
  // The model is the name of a deployment.
  ["azure", "Azure OpenAI", "azure", "https://{resource}.openai.azure.com"],
  [
    "azure-responses",
    "Azure OpenAI, Responses",
    "azure",
    "https://{resource}.openai.azure.com",
    { format: "responses" },
  ],
  [
    "azure-claude",
    "Claude on Azure",
    "azure",
    "https://{resource}.services.ai.azure.com",
    { format: "messages" },
  ],
  ["vertex", "Google Vertex AI", "vertex", "https://aiplatform.googleapis.com"],
  [
    "vertex-claude",
    "Claude on Vertex AI",
    "vertex",
    "https://aiplatform.googleapis.com",
    { format: "messages" },
  ],
  // Models of other makers, by OpenAI's wire.
  [
    "vertex-open",
    "Open models on Vertex AI",
    "vertex",
    "https://aiplatform.googleapis.com",
    { format: "chat" },
  ],
  // Anthropic's models by their own body; those of all makers by Amazon's.
  [
    "bedrock",
    "Claude on Amazon Bedrock",
    "bedrock",
    "https://bedrock-runtime.{region}.amazonaws.com",
  ],
  [
    "bedrock-converse",
    "Amazon Bedrock, Converse",
    "bedrock",
    "https://bedrock-runtime.{region}.amazonaws.com",
    { format: "converse" },
  ],
  [
    "bedrock-mantle",
    "Amazon Bedrock, Mantle",
    "bedrock",
    "https://bedrock-mantle.{region}.api.aws/v1",
    { format: "chat" },
  ],
  [
    "bedrock-mantle-claude",
    "Claude on Bedrock's Mantle",
    "bedrock",
    "https://bedrock-mantle.{region}.api.aws/anthropic",
    { format: "messages" },
  ],
  // Anthropic's own service, paid by way of AWS; it wants to know the workspace.
  [
    "aws-claude",
    "Claude Platform on AWS",
    "bedrock",
    "https://aws-external-anthropic.{region}.api.aws",
    { format: "messages" },
  ],
];

const local: readonly Row[] = [
  ["ollama", "Ollama", "openai", "http://127.0.0.1:11434/v1"],
  ["vllm", "vLLM", "openai", "http://127.0.0.1:8000/v1"],
  ["lmstudio", "LM Studio", "openai", "http://127.0.0.1:1234/v1"],
  ["sglang", "SGLang", "openai", "http://127.0.0.1:30000/v1"],
  ["xinference", "Xinference", "openai", "http://127.0.0.1:9997/v1"],
];

export const presets: readonly Preset[] = [
  ...hosted.map((row) => toPreset(row, false)),
  ...local.map((row) => toPreset(row, true)),
];

function toPreset([name, title, type, baseUrl, traits = {}]: Row, isLocal: boolean): Preset {
  const { format = null, removes = [] } = traits;
  return { name, title, type, format, baseUrl, isLocal, removes };
}

/** OpenAI itself, in any of its regions: others that speak its wire know fewer fields. */
export function isOpenAi({ type, baseUrl }: Pick<Preset, "type" | "baseUrl">): boolean {
  return type === "openai" && openaiHost.test(baseUrl);
}

const openaiHost = /^https:\/\/(?:\w+\.)?api\.openai\.com(?:\/|$)/;
