// Limits to the reach of a channel's credentials, by who sets it, and the note in the audit log
// about an identity of the machine that leaves its cloud.
import { channelUse } from "../../config/cloud/channel-use.ts";
import type { ChannelInput } from "../../config/entities.ts";
import { privateAddressMessage } from "../../config/fields.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import {
  credentialFaults,
  machineFault,
  type ChannelAuthor,
} from "../../core/pass/credential-rules.ts";
import { judgeUrl } from "../../core/url-guard.ts";
import type { Operator } from "../../identity/caller.ts";
import { keyTexts } from "./row.ts";

type ReachInput = Pick<
  ChannelInput,
  "type" | "key" | "keys" | "base_url" | "vendor" | "allow_private" | "proxy"
>;

export function authorOf({ role }: Pick<Operator, "role">): ChannelAuthor {
  return role === "root" ? "root" : "operator";
}

/** Throws where the credentials would reach further than their author may have them. */
export function assertReach(input: ReachInput, author: ChannelAuthor): void {
  const [fault] = credentialFaults(channelUse(input, author), keyTexts(input));
  if (fault === undefined) return assertProxy(input, author);
  const { path: param, message, isForRoot } = fault;
  if (!isForRoot || author !== "operator") throw invalid(param, message);
  throw new GatewayError("permission_denied", { param, message: `${param} ${message}` });
}

/** An operator says of a private proxy that it is meant, as of a private base_url. */
function assertProxy({ proxy, allow_private }: ReachInput, author: ChannelAuthor): void {
  if (author !== "operator" || allow_private === true || proxy === undefined) return;
  const { protocol, host } = new URL(proxy);
  if (judgeUrl(`${protocol}//${host}`) !== "private") return;
  throw invalid("proxy", privateAddressMessage(proxy));
}

/** The host that gets an identity of the machine, where that is not its cloud's. */
export function identityNote(input: ReachInput): JsonObject {
  const use = channelUse(input, "operator");
  const fault = keyTexts(input)
    .map((key) => machineFault(use, key))
    .find((one) => one !== null);
  if (!fault) return {};
  const address = fault.path === "base_url" ? input.base_url : (input.vendor?.authority ?? "");
  return { machine_identity_to: URL.parse(address)?.host ?? address };
}
