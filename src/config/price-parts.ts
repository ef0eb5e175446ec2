// Parts of what is declared that are about money: factors, hours, and what a channel costs.
import { Type, type Static } from "../core/schema.ts";
import { daysPattern, timePattern } from "../core/week/week-windows.ts";
import { amount } from "./fields.ts";

const closed = { additionalProperties: false } as const;

export const percent = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 10_000, description });

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
