// One channel's address with one of its keys, as its upstream works with it, and what a request to
// it is signed by.
import type { HeldGrants, OutboundPass } from "../core/pass/pass.ts";
import type { ChannelKey, ChannelSettings } from "../distribution/channel.ts";
import type { FetchRules } from "../media/fetch.ts";
import type { Address, Target } from "../upstreams/upstream.ts";

interface TargetPlace {
  settings: Pick<ChannelSettings, "baseUrl" | "headers" | "vendor" | "allowPrivate" | "author">;
  key: ChannelKey;
}

export function targetOf({ settings, key }: TargetPlace): Target {
  const { baseUrl, headers, vendor, allowPrivate, author } = settings;
  return { baseUrl, key: key.text, headers, vendor, allowPrivate, author };
}

interface FetchPlace {
  settings: Pick<ChannelSettings, "allowPrivate" | "transport">;
  key: ChannelKey;
}

/** Rights by which what a channel's vendor made is fetched. */
export function fetchRulesOf({ settings, key }: FetchPlace): FetchRules {
  const { allowPrivate, transport } = settings;
  return { allowPrivate, held: heldBy(key), passTransport: transport };
}

/** Undefined where the address has all that it needs. */
export function passOf({ pass }: Address, key: ChannelKey): OutboundPass | undefined {
  return pass && { pass, held: heldBy(key) };
}

function heldBy(key: ChannelKey): HeldGrants {
  return (key.grants ??= new Map());
}
