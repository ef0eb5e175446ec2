// Order for a capture: the contents of the next few requests of a key, of a model or on a channel,
// for a few minutes.
import type { AccountId, ChannelId, KeyId } from "../../core/ids.ts";

export interface CaptureOrder {
  id: string;
  /** Null for everyone's. */
  accountId: AccountId | null;
  keyId: KeyId | null;
  model: string | null;
  channelId: ChannelId | null;
  requestsMax: number;
  untilMs: number;
}

/** Captured content of one request, before it is redacted. */
export interface CapturedContent {
  /** Request of the client, in JSON. */
  request: string;
  /** Answer of the gateway; null where nothing came. */
  answer: string | null;
  upstream: CapturedUpstream | null;
  /** Some of it was too long to be kept. */
  cut: boolean;
}

/** The other side of it, of the last attempt. */
interface CapturedUpstream {
  channel: string;
  request: string;
  /** Null where it went on to the client as it came, or could not be kept. */
  answer: string | null;
}
