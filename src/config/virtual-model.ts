// A virtual model as an operator declares it: one name for a chain or a weighted set of models.
import { compile, Type, type Checker, type SchemaFault, type Static } from "../core/schema.ts";
import { channelPreferences, model, name, perMinuteCount } from "./fields.ts";

/** Reason to go on from one member to another. */
export const fallbackReasons = ["fault", "load", "context", "refused"] as const;
export type FallbackReason = (typeof fallbackReasons)[number];

/** A filter's refusal is the vendor's word on the request, so it is passed on unless asked for. */
export const reasonsDefault: readonly FallbackReason[] = ["fault", "load", "context"];

const closed = { additionalProperties: false } as const;

const Member = Type.Object(
  {
    model: model("A model that a channel serves, or another virtual one."),
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: "Its share of the conversations, among the members that have one.",
      }),
    ),
    when: Type.Optional(
      Type.Array(Type.Enum(fallbackReasons), {
        minItems: 1,
        uniqueItems: true,
        default: [...reasonsDefault],
        description: "What the one before it must have been left for.",
      }),
    ),
    window_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        description: "The most input that it reads. Default: by the catalogue.",
      }),
    ),
  },
  { ...closed, description: "One of the models that the name stands for." },
);

export const VirtualModelInput = Type.Object(
  {
    name: model("The name that requests ask for; a declared one is matched by it."),
    members: Type.Array(Member, {
      minItems: 1,
      maxItems: 16,
      description: "The models, in the order in which they are asked.",
    }),
    price: Type.Optional(
      Type.Enum(["served", "own"], {
        default: "served",
        description: "Charged at the price of the model that served, or at that of the name.",
      }),
    ),
    reply_model: Type.Optional(
      Type.Enum(["asked", "served"], {
        description: "The `model` in replies. Default: text.reply_model.",
      }),
    ),
    prefer: Type.Optional(
      Type.Enum([...channelPreferences], {
        description:
          "What channels of one member and priority are chosen by: weight, cost price or speed. " +
          "Default: as the group of the key does.",
      }),
    ),
    hidden: Type.Optional(
      Type.Boolean({ default: false, description: "Lists of models do not have it." }),
    ),
    groups: Type.Optional(
      Type.Array(name("A group's name."), {
        minItems: 1,
        uniqueItems: true,
        description: "The only groups whose keys may use it. Default: all.",
      }),
    ),
  },
  { ...closed, description: "One name for a chain or a weighted set of models." },
);
export type VirtualModelInput = Static<typeof VirtualModelInput>;

/** Names of a key's own; `*` stands for any characters. */
export const modelMapping = Type.Optional(
  Type.Record(
    Type.String({ minLength: 1, maxLength: 256 }),
    model("The public model name that it stands for."),
    {
      maxProperties: 100,
      description:
        "Model names of the key's own, with the names that they stand for; `*` is any text.",
    },
  ),
);

/** Counts by the public name that a request asks for; of several that fit, the longest holds. */
export const modelRates = (description: string) =>
  Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 256 }), perMinuteCount(description), {
      maxProperties: 100,
      description,
    }),
  );

const checker = compile(VirtualModelInput);

export const virtualModelChecker: Checker<VirtualModelInput> = {
  schema: checker.schema,
  is: (value): value is VirtualModelInput => checker.is(value) && twins(value).length === 0,
  faults: (value) => (checker.is(value) ? twins(value) : checker.faults(value)),
};

function twins({ members }: VirtualModelInput): SchemaFault[] {
  return members.flatMap(({ model: named }, at) => {
    const isTwin = members.findIndex((one) => one.model === named) < at;
    return isTwin ? [{ path: `members.${at}.model`, message: "stands there twice" }] : [];
  });
}
