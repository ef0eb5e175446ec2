// The course of a text request on one channel, and of an answer to it: by the same code as a real
// one, with nothing sent, held or kept. Where a key would stand there is a word in its place.
import type { Clock } from "../../core/clock.ts";
import type { AccountId, Ids } from "../../core/ids.ts";
import { encodeJson, parseJson, type Json, type JsonObject } from "../../core/json.ts";
import type { Micros } from "../../core/money.ts";
import { credentialParts } from "../../core/pass/credential.ts";
import type { Affinity } from "../../distribution/affinity.ts";
import type { Channel, ChannelKey } from "../../distribution/channel.ts";
import type { VirtualModels } from "../../distribution/virtual-models.ts";
import type { AddressFacts, Format, Observed, TextRequest } from "../../formats/format.ts";
import type { Usage } from "../../formats/usage.ts";
import type { RequestBound } from "../../quota/estimate.ts";
import { clampUsage } from "../../quota/plausible.ts";
import { textCost, textHold, type PriceSnapshot } from "../../quota/price.ts";
import { noBytes } from "../stream/pump.ts";
import { Disconnect } from "../stream/read-on.ts";
import { conversationOf } from "./affinity/conversation.ts";
import { noTally } from "./meter/tally.ts";
import { boundRequest } from "./open-text.ts";
import { priceText, type OpenTextNeeds, type PriceAsk } from "./price-text.ts";
import { planText, type TextPlan, type TextTry } from "./plan-text.ts";
import { openPump, readReply } from "./judge-text.ts";
import { noBill } from "../bill.ts";
import type { EventSource } from "./unframe.ts";

export interface DryRunNeeds extends Pick<OpenTextNeeds, "prices" | "catalogue" | "bounds"> {
  clock: Clock;
  ids: Ids;
  affinity: Affinity;
  virtualModels: VirtualModels;
}

interface DryAsk {
  /** Owner of the conversation that it would be part of. */
  accountId: AccountId;
  format: Format;
  body: JsonObject;
  address: AddressFacts | null;
  channel: Channel;
  group: string;
  multiplierPpm: number;
}

export interface DryRun {
  plan: TextPlan;
  request: TextRequest;
  price: PriceSnapshot;
  bound: RequestBound;
  heldMicros: Micros;
  channel: Channel;
}

const noKey: ChannelKey = { position: 0, text: "[key]", isEnabled: true };

/** Stands for a key of the channel, and says no more of it than the project in its address. */
function standInKey({ settings }: Channel): ChannelKey {
  const project = credentialParts(settings.keys[0]?.text ?? "")?.["project_id"];
  if (typeof project !== "string") return { ...noKey };
  return { ...noKey, text: JSON.stringify({ project_id: project }) };
}

/** Throws what a client would be refused with. */
export function dryRunText(needs: DryRunNeeds, ask: DryAsk): DryRun {
  const { format, body, address, channel } = ask;
  const read = format.read(body, address);
  const bodyBytes = Buffer.byteLength(JSON.stringify(body));
  const caller = { multiplierPpm: ask.multiplierPpm };
  const priceAsk: PriceAsk = { format, body, bodyBytes, wireHeaders: {}, call: { caller } };
  const { model, pricedAs } = memberOf(needs, ask, read.model);
  const priced = priceText(needs, priceAsk, { ...read, model: pricedAs }, [channel]);
  const { price } = priced;
  const request = { ...priced.request, model };
  const bound = boundRequest(needs, priceAsk, request, [channel]);
  const textTry = toTry(needs, { ...ask, bodyBytes }, { request, price, bound });
  const plan = planText(textTry, { channel, key: standInKey(channel) });
  return { plan, request, price, bound, heldMicros: textHold(price, bound), channel };
}

/** The model that is asked for: of a virtual one the first member that the channel serves. */
function memberOf(
  { virtualModels }: DryRunNeeds,
  { channel: { settings }, group }: DryAsk,
  name: string,
): { model: string; pricedAs: string } {
  const virtual = virtualModels.find(name, group);
  const links = virtual ? virtualModels.chainOf(virtual, group, () => 0) : [];
  const link = links.find(({ model }) => settings.models.includes(model)) ?? links[0];
  if (!link) return { model: name, pricedAs: name };
  return { model: link.model, pricedAs: link.pricedAs ?? link.model };
}

function toTry(
  { clock, ids, affinity }: DryRunNeeds,
  { format, body, bodyBytes, channel, accountId }: DryAsk & { bodyBytes: number },
  { request, price, bound }: Pick<DryRun, "request" | "price" | "bound">,
): TextTry {
  const { signal } = new AbortController();
  const startedAtMs = clock.monotonicMs();
  const input = {
    format,
    body,
    bodyBytes,
    headers: new Headers(),
    call: { caller: { accountId } },
  };
  return {
    format,
    request,
    body,
    scope: { requestId: ids.request(), signal, startedAtMs, hops: 0 },
    wireHeaders: {},
    action: "generate",
    createdAtSeconds: Math.floor(clock.nowMs() / 1000),
    outputTokensMax: Math.floor(bound.outputTokensMax / request.choices),
    bound,
    disconnect: new Disconnect(null, signal),
    content: null,
    priced: price.surcharges,
    exchange: null,
    shownModel: null,
    conversation: conversationOf(affinity, input, { request, price, serving: [channel] }),
    wasted: null,
  };
}

/** The answer the client would read, and the price it would pay. */
export interface DryReply {
  text: string;
  observed: Observed;
  /** Null where the vendor told no usage: then it is counted. */
  chargedMicros: Micros | null;
}

/** Null where it is no answer in the format of the channel. */
export function dryReply(run: DryRun, reply: Json): DryReply | null {
  const bytes = encodeJson(reply);
  const read = readReply(run.plan, parseJson(bytes), bytes);
  if (!read) return null;
  const { bytes: asTold, observed, restate } = read;
  const usage = usageOf(run, observed);
  const isTold = !restate || !usage || usage === observed.usage;
  const shown = isTold ? asTold : encodeJson(restate(usage));
  return toReply(run, new TextDecoder().decode(shown), observed);
}

export function dryStream(run: DryRun, events: string): DryReply {
  const { plan, request, channel } = run;
  const choice = { channel, key: noKey };
  const pump = openPump({ plan, choice }, sourceOf(events), { request, tally: noTally });
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const piece = pump.next(() => {});
    if (!piece || piece.kind === "cut") break;
    text += decoder.decode(piece.bytes, { stream: true });
    if (piece.kind === "end") {
      const ending = pump.finish?.(usageOf(run, pump.observed()), noBill) ?? noBytes;
      text += decoder.decode(ending);
    }
    if (piece.kind !== "bytes") break;
  }
  return toReply(run, text, pump.observed());
}

/** Nothing is counted here: the vendor's word, as far as it is believed. */
function usageOf({ bound }: DryRun, { usage }: Observed): Usage | null {
  return usage && clampUsage(usage, bound);
}

function toReply(run: DryRun, text: string, observed: Observed): DryReply {
  const { price, plan } = run;
  const { use = null, images = 0 } = observed;
  const usage = usageOf(run, observed);
  const charged = usage && textCost(price, usage, { sent: plan.sent, use, images });
  return { text, observed, chargedMicros: charged };
}

/** An answer of which all is there. */
function sourceOf(events: string): EventSource {
  const chunks = [{ value: new TextEncoder().encode(events) }];
  return { take: () => chunks.shift() ?? {} };
}
