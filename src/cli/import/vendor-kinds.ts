// Vendors as other programs know them: the wire, and the address that such a program has built in,
// without the version that it adds. One row each; every program names them in its own way.
import type { ChannelInput } from "../../config/entities.ts";

/** A kind of channel of another program, in our words. */
export interface ChannelKind {
  type: ChannelInput["type"];
  /** Empty where it has to be given: a key is never sent to an address that nobody named. */
  base: string;
  /** Path that their program adds to the address by itself. */
  path?: string;
  /** The part of it that works here, where that is not all. */
  only?: string;
  /** Their program leaves the dots out of names there, of channels from before (Unix seconds). */
  dotsSince?: number;
}

const chat = (base: string): ChannelKind => ({ type: "openai", base });

export const vendorKinds = {
  openai: chat("https://api.openai.com"),
  anthropic: { type: "anthropic", base: "https://api.anthropic.com" },
  google: { type: "google", base: "https://generativelanguage.googleapis.com" },
  deepseek: chat("https://api.deepseek.com"),
  mistral: chat("https://api.mistral.ai"),
  groq: chat("https://api.groq.com/openai"),
  moonshot: chat("https://api.moonshot.cn"),
  openrouter: chat("https://openrouter.ai/api"),
  siliconflow: chat("https://api.siliconflow.cn"),
  together: chat("https://api.together.xyz"),
  xai: chat("https://api.x.ai"),
  dashscope: {
    type: "openai",
    base: "https://dashscope.aliyuncs.com",
    path: "/compatible-mode",
  },
  ark: { type: "ark", base: "https://ark.cn-beijing.volces.com" },
  kling: { type: "kling", base: "https://api.klingai.com" },
  minimax: { type: "minimax", base: "https://api.minimax.chat", only: "video" },
  ollama: chat("http://localhost:11434"),
  bedrock: { type: "bedrock", base: "https://bedrock-runtime.us-east-1.amazonaws.com" },
  vertex: { type: "vertex", base: "https://aiplatform.googleapis.com" },
  /** Vendors of the same wire, at addresses of their own. */
  compatible: chat(""),
  azure: { type: "azure", base: "" },
  midjourney: { type: "midjourney", base: "" },
  gateway: { type: "gateway", base: "" },
} as const satisfies Readonly<Record<string, ChannelKind>>;
