// The preview of a request's route, as it goes over the wire.
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { fallbackReasons } from "../../config/virtual-model.ts";
import { channelStates } from "../../distribution/channel-states.ts";
import { bodyOf, callsOf } from "../call.ts";
import { money } from "../contract/basics.ts";

const place = {
  id: text(),
  name: text(),
  priority: whole("Higher is asked first."),
  weight: Type.Number({ description: "As it is, or as it was tried out." }),
};

const Candidate = Type.Object({
  ...place,
  turn: orNull(whole("When it is asked, from 1 on; null where it is not asked now.")),
  share: Type.Number({ description: "The chance within its turn, from 0 to 1." }),
  state: word(...channelStates),
  until: orNull(whole("When that ends by itself, in Unix seconds.")),
  in_flight: whole(),
  upstream_model: text(),
  converted_to: orNull(text("The format that it is put into; null where it goes as it is.")),
  reason: text("Why it is asked then, or not at all, in words for people."),
});

const PassedOver = Type.Object({
  ...place,
  reason: text("Why it is no candidate, in words for people."),
});

const AffinityPreview = Type.Object(
  {
    state: word("on", "off", "no_cheaper_reads", "no_choice"),
    placed: orNull(
      Type.Object(
        {
          by: text("`pinned`, `ranked`, or `moved: ` and why."),
          channel_id: text(),
          key: orNull(whole("Which of its keys, from 0; null where they take turns.")),
        },
        { description: "Where the conversation that was named would go." },
      ),
    ),
  },
  { description: "Whether conversations stay on one channel and key; null where none is asked." },
);

export const RoutePreview = Type.Object({
  model: text("As rules and prices see it: what a key's own name stands for."),
  format: text("The format or the kind of work that it was worked out for."),
  group: text(),
  multiplier: money(Type.Number()),
  attempts_max: whole("How many channels are tried at most."),
  candidates: Type.Array(Candidate, { description: "In the order in which they would be asked." }),
  members: Type.Optional(
    Type.Array(
      Type.Object({
        model: text(),
        when: Type.Array(word(...fallbackReasons), {
          description: "What the one before it must have been left for.",
        }),
        candidates: Type.Array(Candidate, { description: "Its channels, in their order." }),
      }),
      {
        description:
          "Of a virtual model, in the order in which they are asked. Where weights decide, the " +
          "first that has one stands first.",
      },
    ),
  ),
  affinity: orNull(AffinityPreview),
  others: Type.Array(PassedOver, { description: "The other channels, and why not." }),
  refusal: orNull(
    Type.Object(
      { code: text(), message: text() },
      { description: "What a request would be refused with before any channel is asked." },
    ),
  ),
});
export type RoutePreview = Static<typeof RoutePreview>;

const RouteInput = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200, description: "As a request names it." }),
    key: Type.Optional(Type.String({ description: "Of this API key, by its id." })),
    group: Type.Optional(
      Type.String({ description: "Of this group, where no key is named. Default: `default`." }),
    ),
    format: Type.Optional(
      Type.String({ description: "Of text: `chat`, `messages` and so on. Default: `chat`." }),
    ),
    conversation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "Of this conversation, by the id that its client gives it. Needs a key.",
      }),
    ),
    weights: Type.Optional(
      Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }), {
        description: "Weights to try out, by the ids of channels.",
      }),
    ),
  },
  { additionalProperties: false },
);

const { call } = callsOf("Channels");

export const routeCalls = {
  preview: call("POST /api/route", "Where a request would go", {
    permission: "channels.read",
    description:
      "The order in which channels would be asked now, with their chances, and why others would " +
      "not. Nothing is sent, and nothing changes.",
    body: bodyOf(RouteInput, { model: "chatA" }),
    answer: RoutePreview,
  }),
};
export type RouteCalls = typeof routeCalls;
