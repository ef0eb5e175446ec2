// Where a text request may go: the channels that serve its model to the caller, and the one that
// made what the request builds on.
import { GatewayError } from "../../core/errors.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { Choice } from "../../distribution/choose.ts";
import type { Origins } from "../../distribution/origins.ts";
import type { Format, RequiredOrigin, TextRequest } from "../../formats/format.ts";
import type { Caller } from "../../identity/caller.ts";
import { servesText } from "./plan-text.ts";

/** Throws the 503 of a model that nobody serves. */
export function findChannels(
  channels: Channels,
  { caller, format }: { caller: Caller; format: Format },
  model: string,
): readonly Channel[] {
  const serving: Channel[] = [];
  if (!caller.models || caller.models.has(model)) {
    for (const channel of channels.candidates(model, caller.group)) {
      if (servesText(channel.settings, format)) serving.push(channel);
    }
  }
  if (serving.length === 0) throw new GatewayError("model_not_found", { param: "model" });
  return serving;
}

/**
 * Another account's response does not exist, whatever upstream key the two accounts share, and
 * neither does one of a channel that this key may not use for the model.
 */
export async function chooseOrigin(
  origins: Origins,
  { accountId }: Caller,
  request: TextRequest,
  serving: readonly Channel[],
): Promise<Choice | null> {
  const { required, alsoRequired = [], preferred } = request.origins;
  if (!required) return preferred === null ? null : await origins.find(accountId, preferred);
  const [origin = null] = await Promise.all(
    [required, ...alsoRequired].map(async (named) => {
      const choice = await origins.find(accountId, named.id);
      if (!choice || !serving.includes(choice.channel)) throw unknownOrigin(named);
      return choice;
    }),
  );
  return origin;
}

function unknownOrigin({ param, unknown }: RequiredOrigin): GatewayError {
  if (unknown === undefined) return new GatewayError("previous_response_not_found", { param });
  return new GatewayError("invalid_request", { param, message: `${param} ${unknown}` });
}
