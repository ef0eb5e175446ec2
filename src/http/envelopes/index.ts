// How an error is written, by route. Every envelope takes the same error and adds nothing to it.
import type { GatewayError } from "../../core/errors.ts";
import { envelopeA } from "./a.ts";
import { envelopeGoogle } from "./google.ts";
import { envelopeSession } from "./session.ts";

export interface Written {
  status: number;
  body: string;
}

export interface EnvelopeFacts {
  requestId: string;
  headers: Headers;
}

export type Envelope = (error: GatewayError, facts: EnvelopeFacts) => Written;

export const envelopes = {
  a: envelopeA,
  google: envelopeGoogle,
  session: envelopeSession,
} as const satisfies Record<string, Envelope>;

export type EnvelopeName = keyof typeof envelopes;
