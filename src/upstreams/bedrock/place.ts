// Places of AWS: Bedrock's runtime, which has the model in its addresses; Mantle, which speaks the
// wires of others as they are; and the platform that Anthropic runs there. An API key goes along as
// it is; all other credentials sign.
import { splitBetas } from "../kit/claude-betas.ts";
import { lowered } from "../kit/headers.ts";
import { awsPass } from "../kit/pass/aws.ts";
import { modelsAddress, openaiAddress } from "../openai-wire.ts";
import type { Address, Target, TextAsk } from "../upstream.ts";
import { mantleBetas } from "./betas.ts";

const mantleHost = /^https?:\/\/bedrock-mantle\./;
const anthropicPath = /\/anthropic(?:\/v1)?\/?$/;

/** A proxy's address has the name in its path. */
const platformName = /\/aws-external-anthropic(?=[./]|$)/;

/** Names that are signed for. */
type Service = "bedrock" | "bedrock-mantle" | "aws-external-anthropic";

/** Told by the host, or by the path that Mantle keeps for Anthropic's wire. */
function serviceAt(baseUrl: string): Service {
  if (platformName.test(baseUrl)) return "aws-external-anthropic";
  const isMantle = mantleHost.test(baseUrl) || anthropicPath.test(baseUrl);
  return isMantle ? "bedrock-mantle" : "bedrock";
}

export function isRuntime(baseUrl: string): boolean {
  return serviceAt(baseUrl) === "bedrock";
}

/** The address on a wire that is not Amazon's own. */
export function wireAddress(ask: TextAsk, target: Target): Address | null {
  const isClaude = ask.format === "messages";
  if (platformName.test(target.baseUrl)) {
    const address = isClaude ? openaiAddress(ask, target) : null;
    return address && proven(address, target, "aws-external-anthropic");
  }
  const address = isClaude ? claudeAddress(ask, target) : openaiAddress(ask, target);
  return address && proven(address, target, "bedrock-mantle");
}

/** The list that the wires of others have of their models. */
export function wireModels(target: Target): Address {
  const { baseUrl } = target;
  const isClaude = platformName.test(baseUrl) || anthropicPath.test(baseUrl);
  const address = modelsAddress(target, isClaude ? "messages" : "chat");
  return proven(address, target, serviceAt(baseUrl));
}

/** Operators paste the address with and without a path. */
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
function proven(address: Address, target: Target, service: Service = "bedrock"): Address {
  const { baseUrl, key, vendor = {} } = target;
  const region = vendor.region ?? hostRegion.exec(baseUrl)?.[1] ?? usualRegion;
  const pass = awsPass(target, { region, service });
  const { authorization: _bearer, ...others } = address.headers;
  const isPlatform = service === "aws-external-anthropic";
  const { workspace } = vendor;
  const payer = isPlatform && workspace !== undefined && { "anthropic-workspace-id": workspace };
  const headers = { ...others, ...payer };
  if (pass) return { ...address, headers, pass };
  const proof: Record<string, string> = isPlatform
    ? { "x-api-key": key }
    : { authorization: `Bearer ${key}` };
  return { ...address, headers: { ...headers, ...proof } };
}
