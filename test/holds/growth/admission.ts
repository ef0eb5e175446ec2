// The work of the gateway for a request before any hold: it reads the body, finds what it names and
// asks for, and writes it for an upstream. Each way of a request to an upstream is gone once.
import { Catalogue } from "../../../src/catalogue/catalogue.ts";
import { channelFormats } from "../../../src/config/entities.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { GatewayError } from "../../../src/core/errors.ts";
import { createIds } from "../../../src/core/ids.ts";
import { systemRandom } from "../../../src/core/random.ts";
import { Affinity } from "../../../src/distribution/affinity.ts";
import { Channel } from "../../../src/distribution/channel.ts";
import type { Channels } from "../../../src/distribution/channels.ts";
import { Origins } from "../../../src/distribution/origins.ts";
import { unsetSettings } from "../../../src/distribution/unset-settings.ts";
import { VirtualModels } from "../../../src/distribution/virtual-models.ts";
import type { FormatName } from "../../../src/formats/format.ts";
import { formats } from "../../../src/formats/index.ts";
import { chooseOrigin } from "../../../src/gateway/text/choose-origin.ts";
import { dryRunText } from "../../../src/gateway/text/dry-run.ts";
import { wireOf } from "../../../src/gateway/text/wires.ts";
import type { Caller } from "../../../src/identity/caller.ts";
import { Prices } from "../../../src/quota/prices.ts";
import { createReader } from "../../../src/store/database.ts";
import { upstreams } from "../../../src/upstreams/index.ts";
import type { JsonObject } from "../generate/json.ts";
import type { WireName } from "../generate/wire-places.ts";

/** A model that each upstream format's rules know; another format gets one that nobody knows. */
const models: Readonly<Partial<Record<FormatName, string>>> = {
  chat: "gpt-4o",
  responses: "gpt-4o",
  messages: "claude-sonnet-4-5",
  content: "gemini-2.5-flash",
  converse: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
};

const ids = createIds(systemClock, systemRandom);
const catalogue = new Catalogue();
const bounds = { outputTokensMaxDefault: 8192, imageTokensMax: 4096 };
const affinity = new Affinity({ clock: systemClock, isOn: false });
// Without prices nothing is refused for the want of one.
const prices = new Prices("free", catalogue);
const virtualModels = new VirtualModels();
const needs = { catalogue, prices, bounds, virtualModels, clock: systemClock, ids, affinity };
const caller = { accountId: ids.account(), makerId: null } as Caller;

export interface Way {
  /** The format that the upstream is spoken to in. */
  format: FormatName;
  channel: Channel;
}

function channelOf(type: string, format: (typeof channelFormats)[number] | null): Channel {
  const settings = {
    id: ids.channel(),
    name: type,
    ...unsetSettings,
    type,
    format,
    baseUrl: "https://vendor.example",
    vendor: { region: "us-east-1", project: "project", location: "global" },
    models: [],
    groups: [],
    keys: [],
    keepsKeys: true,
  };
  return new Channel(settings, { failuresToEject: 1, ejectionMs: 0, ejectionMsMax: 0 });
}

/** Channels of each kind and dialect that there are. */
const channels = Object.keys(upstreams).flatMap((type) =>
  [null, ...channelFormats].map((format) => channelOf(type, format)),
);

/** Each format that a request of the wire can be put into, by one channel, and as it came. */
export function waysOf(wire: WireName): Way[] {
  const ways = new Map<string, Way>();
  for (const channel of channels) {
    const way = wireOf(channel.settings, formats[wire]);
    if (!way) continue;
    const { name } = way.format;
    const key = `${name} ${way.isNative}`;
    if (!ways.has(key)) ways.set(key, { format: name, channel });
  }
  return [...ways.values()];
}

/** Do the work of a request up to its hold; false where it is refused, which is an end as well. */
export function admit(wire: WireName, body: JsonObject, { format, channel }: Way): boolean {
  try {
    const model = models[format] ?? "model";
    const isByAddress = /content/i.test(wire);
    const address = isByAddress ? { model, stream: false, framing: "events" as const } : null;
    const asked = isByAddress ? body : { ...body, model };
    const ask = { format: formats[wire], body: asked, address, channel };
    dryRunText(needs, {
      ...ask,
      accountId: caller.accountId,
      group: "default",
      multiplierPpm: 1_000_000,
    });
    return true;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return false;
  }
}

/** Reads of the database for what a body names, none of which its account has. */
export async function countReads(wire: WireName, body: JsonObject, isOpen: boolean) {
  let reads = 0;
  const database = createReader("sqlite", async () => {
    reads++;
    return [];
  });
  const known = { find: () => null } as unknown as Channels;
  const origins = new Origins({ database, channels: known, clock: systemClock, keep() {} });
  const channel = { settings: { allowObjects: isOpen } } as Channel;
  try {
    const model = "model";
    const address = { model, stream: false, framing: "events" as const };
    const request = formats[wire].read({ model, ...body }, /content/i.test(wire) ? address : null);
    await chooseOrigin(origins, caller, request, [channel]);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
  return reads;
}
