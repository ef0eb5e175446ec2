// The numbers that one-api alone has for kinds of channels. Above 25 they mean other things than
// those of its descendants.
import {
  compatibleAt,
  sharedKinds,
  sharedOthers,
  type NumberedKinds,
} from "../lineage/channel-kinds.ts";
import { vendorKinds } from "../vendor-kinds.ts";

export const channelKinds: NumberedKinds = {
  ...sharedKinds,
  ...compatibleAt(2, 4, 5, 26, 32, 39, 50),
  3: { ...vendorKinds.azure, dotsSince: Infinity },
  28: vendorKinds.mistral,
  29: vendorKinds.groq,
  30: vendorKinds.ollama,
  36: vendorKinds.deepseek,
  42: vendorKinds.vertex,
  44: vendorKinds.siliconflow,
  45: vendorKinds.xai,
  49: vendorKinds.dashscope,
};

export const otherKinds: Readonly<Record<number, string>> = {
  ...sharedOthers,
  27: "MiniMax",
  34: "Coze",
  35: "Cohere",
  37: "Cloudflare",
  38: "DeepL",
  40: "Doubao",
  41: "Novita",
  43: "Proxy",
  46: "Replicate",
  47: "Baidu v2",
  48: "Xunfei v2",
  51: "Gemini by OpenAI's wire",
};
