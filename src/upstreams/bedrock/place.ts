// Places of Bedrock: the runtime, which has the model in its addresses, and Mantle, which speaks
// the wires of others as they are. An API key goes along as a bearer at each; all others sign.
import { splitBetas } from "../kit/claude-betas.ts";
import { lowered } from "../kit/headers.ts";
import { awsPass } from "../kit/pass/aws.ts";
import { openaiAddress } from "../openai-wire.ts";
import type { Address, Target, TextAsk } from "../upstream.ts";
import { mantleBetas } from "./betas.ts";

const mantleHost = /^https?:\/\/bedrock-mantle\./;
const anthropicPath = /\/anthropic(?:\/v1)?\/?$/;

/** Told by the host, or by the path that Mantle keeps for Anthropic's wire. */
export function isMantle(baseUrl: string): boolean {
  return mantleHost.test(baseUrl) || anthropicPath.test(baseUrl);
}

/** Operators paste the address with and without a path. */
export function mantleAddress(ask: TextAsk, target: Target): Address | null {
  const address =
    ask.format === "messages" ? claudeAddress(ask, target) : openaiAddress(ask, target);
  return address && proven(address, target, "bedrock-mantle");
}

function claudeAddress(ask: TextAsk, target: Target): Address | null {
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
  target: Target,
): Address | null {
  if (/^\.{0,2}$/.test(model)) return null;
  // Half of a surrogate pair has no encoding.
  const name = encodeURIComponent(model.toWellFormed());
  const url = `${target.baseUrl.replace(/\/$/, "")}/model/${name}/${verb}`;
  return proven({ url, headers: { ...accepted(stream), ...lowered(target.headers) } }, target);
}

function accepted(isStream: boolean): Record<string, string> {
  if (!isStream) return { accept: "application/json" };
  return {
    accept: "application/vnd.amazon.eventstream",
    "x-amzn-bedrock-accept": "application/json",
  };
}

/** The lists are on another host than the models. */
export function controlAddress(path: string, target: Target): Address {
  const root = target.baseUrl
    .replace(/\/$/, "")
    .replace(/^(https?:\/\/bedrock)-runtime(?=[.-])/, "$1");
  return proven({ url: `${root}${path}`, headers: lowered(target.headers) }, target);
}

const hostRegion = /^https?:\/\/[a-z-]+\.([a-z]{2,}(?:-[a-z]+)+-\d)\./;
const usualRegion = "us-east-1";

/** The region is a part of what is signed, so it has to be the host's own. */
function proven(address: Address, target: Target, service = "bedrock"): Address {
  const { baseUrl, vendor } = target;
  const region = vendor?.region ?? hostRegion.exec(baseUrl)?.[1] ?? usualRegion;
  const pass = awsPass(target, { region, service });
  const { authorization: _bearer, ...headers } = address.headers;
  if (pass) return { ...address, headers, pass };
  return { ...address, headers: { ...headers, authorization: `Bearer ${target.key}` } };
}
