// Where a channel is asked for text, and with which headers.
import type { Choice } from "../../distribution/choose.ts";
import type { Address, TextAsk, TextFacet } from "../../upstreams/upstream.ts";
import { hopHeader } from "../scope.ts";

/** Null when the upstream has no place for what is asked. */
export function textAddress(
  facet: TextFacet,
  ask: TextAsk,
  { channel, key }: Choice,
  hops: number,
): Address | null {
  const { baseUrl, headers } = channel.settings;
  const address = facet.address(ask, { baseUrl, key: key.text, headers });
  if (!address) return null;
  return {
    url: address.url,
    headers: {
      ...address.headers,
      "content-type": "application/json",
      "accept-encoding": "identity",
      "user-agent": "sluice",
      [hopHeader]: String(hops + 1),
    },
  };
}
