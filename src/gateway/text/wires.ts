// The text wires of a channel: the format in which it gets a request of each format. That is a
// constant of the channel's type and dialect, so it is worked out once for each pair.
import type { ChannelSettings } from "../../distribution/channel.ts";
import type { UpstreamDialect } from "../../formats/exchange.ts";
import type { Format, FormatName } from "../../formats/format.ts";
import { formats } from "../../formats/index.ts";
import { upstreams } from "../../upstreams/index.ts";

/** Way of a request to a channel. */
interface Wire {
  format: Format;
  /** The client's own, so that the request passes as it is. */
  isNative: boolean;
}

interface Wires {
  /** Wires by the client's format; null where the channel does not serve it. */
  readonly by: ReadonlyMap<FormatName, Wire | null>;
  /** Format that text is converted to; null where the upstream has none. */
  readonly dialect: Format | null;
  /** Format in which embeddings are asked for that came in another. */
  readonly embedding: Format | null;
}

const known = new Map<string, Map<UpstreamDialect | null, Wires>>();

export function wiresOf({ type, format: dialect }: ChannelSettings): Wires {
  let ofType = known.get(type);
  if (!ofType) known.set(type, (ofType = new Map()));
  let wires = ofType.get(dialect);
  if (!wires) ofType.set(dialect, (wires = toWires(upstreams[type]?.text?.formats(dialect) ?? [])));
  return wires;
}

/** Null where the channel does not serve the format. */
export function wireOf(settings: ChannelSettings, { name }: Format): Wire | null {
  return wiresOf(settings).by.get(name) ?? null;
}

/** The format that a channel gets a request in which does not pass as it is; null of all others. */
export function convertedTo(settings: ChannelSettings, format: Format): Format | null {
  const wire = wireOf(settings, format);
  return wire && !wire.isNative ? wire.format : null;
}

function toWires(taken: readonly FormatName[]): Wires {
  const [first] = taken;
  const dialect = first ? formats[first] : null;
  const name = taken.find((one) => formats[one].embedding?.upstream);
  const embedding = name ? formats[name] : null;
  const by = new Map<FormatName, Wire | null>();
  for (const format of Object.values(formats)) {
    const isNative = taken.includes(format.name);
    const foreign = format.embedding ? embedding : format.client && dialect;
    const wire = isNative ? format : foreign;
    by.set(format.name, wire && { format: wire, isNative });
  }
  return { by, dialect, embedding };
}
