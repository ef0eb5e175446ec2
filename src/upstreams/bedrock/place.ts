// Places of Bedrock: the runtime, which has the model in its addresses, and Mantle, which speaks
// the wires of others as they are.
import { lowered } from "../kit/headers.ts";
import { openaiAddress } from "../openai-wire.ts";
import type { Address, Target, TextAsk } from "../upstream.ts";
import { mantleBetas, splitBetas } from "./betas.ts";

const mantleHost = /^https?:\/\/bedrock-mantle\./;
const anthropicPath = /\/anthropic(?:\/v1)?\/?$/;

/** Told by the host, or by the path that Mantle keeps for Anthropic's wire. */
export function isMantle(baseUrl: string): boolean {
  return mantleHost.test(baseUrl) || anthropicPath.test(baseUrl);
}

/** Mantle takes the bearer on every wire; operators paste its address with and without a path. */
export function mantleAddress(ask: TextAsk, target: Target): Address | null {
  if (ask.format !== "messages") return openaiAddress(ask, target);
  const { baseUrl } = target;
  const root = anthropicPath.test(baseUrl) ? baseUrl : `${new URL(baseUrl).origin}/anthropic`;
  const { "anthropic-beta": betas = "", ...others } = lowered(ask.wireHeaders);
  const { sent } = splitBetas(betas, mantleBetas);
  const wireHeaders = sent.length > 0 ? { ...others, "anthropic-beta": sent.join(",") } : others;
  return openaiAddress({ ...ask, wireHeaders }, { ...target, baseUrl: root });
}

/** Null for a name that would lead to another place. */
export function modelAddress(
  { model, stream }: Pick<TextAsk, "model" | "stream">,
  verb: string,
  { baseUrl, key, headers }: Target,
): Address | null {
  if (/^\.{0,2}$/.test(model)) return null;
  // Half of a surrogate pair has no encoding.
  const name = encodeURIComponent(model.toWellFormed());
  return {
    url: `${baseUrl.replace(/\/$/, "")}/model/${name}/${verb}`,
    headers: { ...accepted(stream), ...lowered(headers), authorization: `Bearer ${key}` },
  };
}

function accepted(isStream: boolean): Record<string, string> {
  if (!isStream) return { accept: "application/json" };
  return {
    accept: "application/vnd.amazon.eventstream",
    "x-amzn-bedrock-accept": "application/json",
  };
}

/** The host of the lists, which is not that of the models. */
export function controlUrl(baseUrl: string): string {
  return baseUrl.replace(/\/$/, "").replace(/^(https?:\/\/bedrock)-runtime(?=[.-])/, "$1");
}
