// Puts a case through the gateway's own code, from its body to the hold and to what would be sent,
// with nothing sent: by that much it is the same as a request over HTTP.
import { Catalogue } from "../../src/catalogue/catalogue.ts";
import { systemClock } from "../../src/core/clock.ts";
import { GatewayError } from "../../src/core/errors.ts";
import { createIds } from "../../src/core/ids.ts";
import { systemRandom } from "../../src/core/random.ts";
import { Affinity } from "../../src/distribution/affinity.ts";
import { Channel, type ChannelSettings } from "../../src/distribution/channel.ts";
import { unsetSettings } from "../../src/distribution/unset-settings.ts";
import { VirtualModels } from "../../src/distribution/virtual-models.ts";
import { formats } from "../../src/formats/index.ts";
import { dryRunText } from "../../src/gateway/text/dry-run.ts";
import { Prices } from "../../src/quota/prices.ts";
import { upstreamKinds, type HoldCase, type UpstreamKind } from "./generate/cases.ts";
import type { JsonObject } from "./generate/json.ts";
import { modelFor, type WireBody } from "./meter/worst-bill.ts";

interface Refused {
  kind: "refused";
  code: string;
  param: string | null;
}

interface Held {
  kind: "held";
  micros: number;
  sent: WireBody;
}

export type Outcome = Refused | Held;

const kinds: Readonly<Record<UpstreamKind, Pick<ChannelSettings, "type" | "format">>> = {
  "openai-chat": { type: "openai", format: null },
  "openai-responses": { type: "openai", format: "responses" },
  anthropic: { type: "anthropic", format: null },
  google: { type: "google", format: null },
};

const ids = createIds(systemClock, systemRandom);

export function channelOf(upstream: UpstreamKind): Channel {
  const settings: ChannelSettings = {
    id: ids.channel(),
    name: upstream,
    ...unsetSettings,
    ...kinds[upstream],
    baseUrl: "https://vendor.example",
    models: [],
    groups: [],
    keys: [],
    keepsKeys: true,
  };
  return new Channel(settings, { failuresToEject: 1, ejectionMs: 0, ejectionMsMax: 0 });
}

const channels = new Map(upstreamKinds.map((kind) => [kind, channelOf(kind)]));

export const bounds = { outputTokensMaxDefault: 8192, imageTokensMax: 4096 };
const catalogue = new Catalogue();
const needs = {
  catalogue,
  prices: new Prices("refuse", catalogue),
  bounds,
  clock: systemClock,
  ids,
  affinity: new Affinity({ clock: systemClock, isOn: false }),
  virtualModels: new VirtualModels(),
};

/** Run a case with a wallet without limits; nothing that a vendor keeps is its account's. */
export function drive({
  wire,
  upstream,
  body,
  model = modelFor(upstream, wire),
}: HoldCase): Outcome {
  const channel = channels.get(upstream);
  if (!channel) throw new RangeError(`no channel for ${upstream}`);
  const isByAddress = /content/i.test(wire);
  const address = isByAddress ? { model, stream: false, framing: "events" as const } : null;
  const asked: JsonObject = isByAddress ? body : { ...body, model };
  try {
    const ask = { format: formats[wire], body: plainCopy(asked), address, channel };
    const run = dryRunText(needs, {
      ...ask,
      accountId: ids.account(),
      group: "default",
      multiplierPpm: 1_000_000,
    });
    const foreign = foreignIn(run.request.origins);
    if (foreign !== null) return { kind: "refused", code: "invalid_request", param: foreign };
    const sent = { wire: run.plan.format.name, upstream, model, body: plainCopy(run.plan.body) };
    return { kind: "held", micros: run.heldMicros, sent };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { kind: "refused", code: error.code, param: error.param ?? null };
  }
}

/** Copy of a body as it goes over the wire. */
function plainCopy(body: unknown): JsonObject {
  return JSON.parse(JSON.stringify(body));
}

type Origins = ReturnType<(typeof formats)["chat"]["read"]>["origins"];

/** The origin that is asked for first, none of which this account has. */
function foreignIn({ required, objects = [] }: Origins): string | null {
  return required?.param ?? objects[0]?.param ?? null;
}
