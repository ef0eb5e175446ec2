// Parts of what is declared that are about money: factors, hours, and what a channel costs.
import { Type, type Static } from "../core/schema.ts";
import { daysPattern, timePattern } from "../core/week/week-windows.ts";
import { amount, condition } from "./fields.ts";

const closed = { additionalProperties: false } as const;

const percent = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description });

export const factorFields = {
  input_percent: percent("What the price of the input is multiplied by, in percent."),
  output_percent: percent("What the price of the output is multiplied by, in percent."),
};
export const PriceFactor = Type.Object(factorFields, closed);
export type PriceFactor = Static<typeof PriceFactor>;

export const mediaAmounts = {
  image_micros: amount("Micros for one image."),
  second_micros: amount("Micros for one second of video."),
  call_micros: amount("Micros for one call."),
};

export const PriceRule = Type.Object(
  {
    size: condition("Applies to this size, such as 1024x1024."),
    quality: condition("Applies to this quality, such as high."),
    resolution: condition("Applies to this resolution, such as 1080p."),
    tier: condition("Applies to this service tier."),
    ...mediaAmounts,
  },
  { ...closed, description: "Other amounts where every named condition holds." },
);
export type PriceRule = Static<typeof PriceRule>;

const tokenAmounts = {
  input_micros_per_million: amount("Micros for a million prompt tokens."),
  output_micros_per_million: amount("Micros for a million output tokens."),
  cache_read_micros_per_million: amount("Micros for a million tokens read from a cache."),
  cache_write_micros_per_million: amount("Micros for a million tokens written to a cache."),
};

export const PriceWindow = Type.Object(
  {
    days: Type.Optional(
      Type.String({
        pattern: daysPattern,
        description: "Days on which it begins, such as mon-fri or sat,sun. Default: every day.",
      }),
    ),
    from: Type.String({ pattern: timePattern, description: "When it begins, such as 09:00." }),
    to: Type.String({
      pattern: timePattern,
      description: "When it ends; before from, it ends on the next day.",
    }),
    zone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "Whose clock it goes by, such as Asia/Shanghai. Default: UTC.",
      }),
    ),
    input_percent: Type.Optional(
      percent("What all prices of input are multiplied by, in percent. Default: 100."),
    ),
    output_percent: Type.Optional(
      percent("What all prices of output are multiplied by, in percent. Default: 100."),
    ),
    ...tokenAmounts,
  },
  { ...closed, description: "Hours in which tokens cost something else." },
);
export type PriceWindow = Static<typeof PriceWindow>;

export const ChannelCost = Type.Object(
  {
    percent: Type.Optional(percent("What it costs of the list price, in percent. Default: 100.")),
    prices: Type.Optional(
      Type.Array(
        Type.Object(
          {
            model: Type.String({
              minLength: 1,
              maxLength: 200,
              description: "The public model name.",
            }),
            ...tokenAmounts,
            ...mediaAmounts,
          },
          { ...closed, description: "What a model costs here." },
        ),
        { maxItems: 1000, description: "Models that cost something else than percent says." },
      ),
    ),
  },
  { ...closed, description: "What the upstream takes for it, which only operators see." },
);
export type ChannelCost = Static<typeof ChannelCost>;
