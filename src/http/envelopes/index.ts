// Envelopes of errors, by route. Every envelope takes the same error and adds nothing to it.
import { envelopeBedrock } from "./bedrock.ts";
import type { Envelope } from "./envelope.ts";
import { envelopeGoogle } from "./google.ts";
import { envelopeImgF } from "./img-f.ts";
import { envelopeModels } from "./models.ts";
import { envelopeMessages } from "./messages.ts";
import { envelopeA, envelopeB, envelopeC, envelopeUnified } from "./plain.ts";
import { envelopeSession } from "./session.ts";
import { envelopeVideoE } from "./video-e.ts";

export const envelopes = {
  a: envelopeA,
  b: envelopeB,
  c: envelopeC,
  bedrock: envelopeBedrock,
  google: envelopeGoogle,
  "img-f": envelopeImgF,
  messages: envelopeMessages,
  models: envelopeModels,
  session: envelopeSession,
  unified: envelopeUnified,
  "video-e": envelopeVideoE,
} as const satisfies Record<string, Envelope>;

export type EnvelopeName = keyof typeof envelopes;
