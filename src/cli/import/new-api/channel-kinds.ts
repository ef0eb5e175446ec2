// The numbers that new-api alone has for kinds of channels.
import {
  compatibleAt,
  sharedKinds,
  sharedOthers,
  type NumberedKinds,
} from "../lineage/channel-kinds.ts";
import { vendorKinds } from "../vendor-kinds.ts";

/** 10 May 2025. */
const azureDotsSince = 1_746_835_200;

export const channelKinds: NumberedKinds = {
  ...sharedKinds,
  ...compatibleAt(47, 53, 59),
  2: vendorKinds.midjourney,
  3: { ...vendorKinds.azure, dotsSince: azureDotsSince },
  4: vendorKinds.ollama,
  5: vendorKinds.midjourney,
  35: vendorKinds.minimax,
  40: vendorKinds.siliconflow,
  41: vendorKinds.vertex,
  42: vendorKinds.mistral,
  43: vendorKinds.deepseek,
  45: { ...vendorKinds.ark, only: "images and video" },
  48: vendorKinds.xai,
  50: vendorKinds.kling,
  54: vendorKinds.ark,
  55: vendorKinds.openai,
  60: vendorKinds.gateway,
};

export const otherKinds: Readonly<Record<number, string>> = {
  ...sharedOthers,
  26: "Zhipu v4",
  27: "Perplexity",
  34: "Cohere",
  36: "Suno",
  37: "Dify",
  38: "Jina",
  39: "Cloudflare",
  44: "MokaAI",
  46: "Baidu v2",
  49: "Coze",
  51: "Jimeng",
  52: "Vidu",
  56: "Replicate",
  57: "Codex",
  58: "Advanced Custom",
};
