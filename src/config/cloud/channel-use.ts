// A channel as the rules about credentials see it.
import type { ChannelAuthor, CredentialUse } from "../../core/pass/credential-rules.ts";
import type { VendorFields } from "../../core/pass/vendor-fields.ts";

interface ChannelPlace {
  type: string;
  base_url?: string;
  vendor?: VendorFields | undefined;
  allow_private?: boolean | undefined;
  proxy?: string | undefined;
}

export function channelUse(channel: ChannelPlace, author: ChannelAuthor): CredentialUse {
  const { type, base_url: baseUrl = "", vendor, allow_private: allowPrivate, proxy } = channel;
  return { type, baseUrl, vendor, allowPrivate, proxy, author };
}
