// Shows what a vendor would get of a request, and what the client would read of an answer. Nothing
// is sent, held or kept.
import { hiddenValue, type channelFormats } from "../../config/entities.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { ChannelId } from "../../core/ids.ts";
import { isObject, type Json } from "../../core/json.ts";
import { Channel } from "../../distribution/channel.ts";
import { readSettingsOf } from "../../distribution/queries.ts";
import { unsetSettings } from "../../distribution/unset-settings.ts";
import type { AddressFacts, Format } from "../../formats/format.ts";
import { formats } from "../../formats/index.ts";
import {
  dryReply,
  dryRunText,
  dryStream,
  type DryReply,
  type DryRun,
} from "../../gateway/text/dry-run.ts";
import type { Operator } from "../../identity/caller.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { upstreams } from "../../upstreams/index.ts";
import type { InputOf } from "../call.ts";
import { existing, readChannelId } from "../input.ts";
import type { ConvertCalls, ConvertView } from "./contract.ts";
import type { ConvertNeeds } from "./needs.ts";

export async function convert(
  needs: ConvertNeeds,
  { accountId }: Operator,
  { body: ask }: InputOf<ConvertCalls["run"]>,
): Promise<ConvertView> {
  const format = formatOf(ask.format);
  const group = needs.groups.find(ask.group ?? defaultGroup);
  if (!group) throw new GatewayError("not_found", { param: "group" });
  const address = addressOf(ask.model, ask.stream);
  const channel = await channelOf(needs, ask);
  const { multiplierPpm } = group;
  const run = dryRunText(needs.running, {
    accountId,
    format,
    body: ask.body,
    address,
    channel,
    group: ask.group ?? defaultGroup,
    multiplierPpm,
  });
  const reply = ask.reply === undefined ? null : replyOf(run, ask.reply);
  return { ...viewRun(run, channel), converted: run.plan.format !== format, reply };
}

function viewRun(run: DryRun, { settings }: Channel): Omit<ConvertView, "converted" | "reply"> {
  const { plan, bound, heldMicros } = run;
  return {
    url: plan.address.url,
    headers: Object.fromEntries(
      Object.entries(plan.address.headers).map(([name, value]) => [
        name,
        settings.headers[name.toLowerCase()] === value ? hiddenValue : value,
      ]),
    ),
    body: plan.body,
    format: plan.format.name,
    upstream_model: plan.ask.model,
    ignored: [...new Set(plan.ignored)],
    added: [...plan.added],
    hold: {
      micros: heldMicros,
      input_tokens_max: bound.inputTokensMax,
      output_tokens_max: bound.outputTokensMax,
    },
  };
}

function replyOf(run: DryRun, reply: Json): NonNullable<ConvertView["reply"]> {
  if (typeof reply === "string") {
    const read = dryStream(run, reply);
    return { body: null, events: read.text, ...usageOf(read) };
  }
  const read = isObject(reply) ? dryReply(run, reply) : null;
  if (!read) throw invalid("reply", `is no answer of the format ${run.plan.format.name}`);
  return { body: JSON.parse(read.text), events: null, ...usageOf(read) };
}

function usageOf({ observed, chargedMicros }: DryReply) {
  const { usage } = observed;
  return {
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    charged_micros: chargedMicros,
  };
}

function formatOf(name: string): Format {
  const format = Object.values(formats).find((one) => one.name === name);
  if (!format) throw invalid("format", `must be one of ${Object.keys(formats).join(", ")}`);
  return format;
}

function addressOf(model: string | undefined, stream = false): AddressFacts | null {
  return model === undefined ? null : { model, stream, framing: "events" };
}

interface AskedChannel {
  channel?: string;
  dialect?: (typeof channelFormats)[number];
}

async function channelOf(
  { channels, database, seal }: ConvertNeeds,
  { channel: id, dialect }: AskedChannel,
): Promise<Channel> {
  if ((id === undefined) === (dialect === undefined)) {
    throw invalid("channel", "or dialect has to be there, and only one of them");
  }
  if (dialect !== undefined) return someChannel(dialect);
  const known = channels.find((id ?? "") as ChannelId);
  if (known) return known;
  const settings = await readSettingsOf(database, seal, readChannelId(id ?? ""));
  return new Channel(existing(settings), noEjection);
}

const noEjection = { failuresToEject: 1, ejectionMs: 0, ejectionMsMax: 0 };

/** A vendor's own channel that speaks the dialect by itself. */
function someChannel(dialect: (typeof channelFormats)[number]): Channel {
  const speaker = Object.entries(upstreams).find(
    ([, upstream]) => upstream?.text?.formats(null)[0] === dialect,
  );
  const [type] = speaker ?? Object.entries(upstreams).find(([, one]) => one?.text) ?? [""];
  return new Channel(
    {
      ...unsetSettings,
      id: "" as ChannelId,
      name: dialect,
      type,
      format: speaker ? null : dialect,
      baseUrl: "https://vendor.example",
      models: [],
      groups: [],
      keys: [],
      allowObjects: true,
      keepsKeys: true,
    },
    noEjection,
  );
}
