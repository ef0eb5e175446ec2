// Settings of a channel in which nothing is set beyond its address: for those that have no row.
import { plainTransport } from "../core/outbound.ts";
import type { ChannelSettings } from "./channel.ts";

export const unsetSettings = {
  format: null,
  priority: 0,
  weight: 1,
  modelMapping: {},
  parametersSet: {},
  parametersRemoved: [],
  headers: {},
  dropStore: false,
  surcharges: {},
  allowPrivate: false,
  allowObjects: false,
  hiddenPromptTokens: 0,
  cost: {},
  allowRouting: false,
  affinity: true,
  concurrency: null,
  timeouts: { firstByteMs: null, stallMs: null, totalMs: null },
  transport: plainTransport,
} as const satisfies Partial<ChannelSettings>;
