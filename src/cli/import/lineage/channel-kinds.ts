// The numbers that all programs of this lineage have for kinds of channels.
import { vendorKinds, type ChannelKind } from "../vendor-kinds.ts";

export type NumberedKinds = Readonly<Record<number, ChannelKind>>;

/** Those that come only if they have an address of their own. */
export function compatibleAt(...numbers: number[]): NumberedKinds {
  return Object.fromEntries(numbers.map((number) => [number, vendorKinds.compatible]));
}

export const sharedKinds: NumberedKinds = {
  ...compatibleAt(6, 7, 9, 10, 12, 13, 19, 22, 31),
  1: vendorKinds.openai,
  14: vendorKinds.anthropic,
  17: vendorKinds.dashscope,
  20: vendorKinds.openrouter,
  24: vendorKinds.google,
  25: vendorKinds.moonshot,
  33: vendorKinds.bedrock,
};

/** Those without an equal. */
export const sharedOthers: Readonly<Record<number, string>> = {
  8: "Custom",
  11: "PaLM",
  15: "Baidu",
  16: "Zhipu",
  18: "Xunfei",
  21: "AI Proxy Library",
  23: "Tencent",
};
