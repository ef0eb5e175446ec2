// Rules of a channel for what costs more than its tokens.
import { Type, type Static } from "../core/schema.ts";
import type { SurchargeKind } from "../formats/surcharge.ts";

const surchargeWords = ["price", "refuse", "ignore"] as const;
export type SurchargeWord = (typeof surchargeWords)[number];

const closed = { additionalProperties: false } as const;

const surchargeWord = (description: string) =>
  Type.Optional(Type.Enum(surchargeWords, { description }));

export const surcharges = Type.Object(
  {
    default: surchargeWord("For every kind that is not named. Default: price."),
    hosted_tools: surchargeWord("Tools that the vendor runs, such as a web search."),
    service_tier: surchargeWord("A tier that is served before others."),
    speed: surchargeWord("A faster model."),
    inference_geo: surchargeWord("A place where the model must run."),
    long_context: surchargeWord("Longer input than usual."),
    cache_1h: surchargeWord("A cache that lasts an hour."),
    audio: surchargeWord("Spoken output."),
  } satisfies Record<"default" | SurchargeKind, unknown>,
  {
    ...closed,
    description: "What is done with what costs more than its tokens: price, refuse or ignore.",
  },
);
export type SurchargeRules = Static<typeof surcharges>;
