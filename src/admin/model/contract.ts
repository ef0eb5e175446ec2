// Models and groups as those who use them see them.
import { PriceInput } from "../../config/entities.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { everySeat } from "../../identity/role.ts";
import { channelStates } from "../../distribution/channel-states.ts";
import { callsOf } from "../call.ts";
import { byName } from "../search.ts";

const { model: _model, ...amounts } = PriceInput.properties;

const ServingChannel = Type.Object({
  id: text(),
  name: text(),
  priority: whole("Higher is asked first."),
  weight: whole("The share among channels of one priority."),
  state: word(...channelStates),
});

const ModelField = Type.Object({
  name: text("As a request calls it."),
  type: word("text", "number", "truth"),
  values: Type.Array(text(), {
    description: "What it may say; where it is `open`, some of that. Empty of a number in a range.",
  }),
  open: Type.Boolean({ description: "Whether it may say something else of that kind too." }),
  min: orNull(whole("The least, of a number in a range.")),
  max: orNull(whole("The most, of a number in a range.")),
  usual: orNull(text("What counts where it is left out; null: its upstream decides.")),
  required: Type.Boolean({ description: "Whether it may not be left out." }),
});

const kindWord = word("text", "embedding", "image", "video");

export const ModelView = Type.Object({
  id: text(),
  name: text("The name for people."),
  kind: kindWord,
  family: orNull(text("Whose contract its requests keep to; null of text and vectors.")),
  owned_by: text(),
  endpoints: Type.Array(text("A format that it is asked in.")),
  input_tokens_max: whole("0 where it is not known."),
  output_tokens_max: whole("0 where it is not known."),
  fields: Type.Array(ModelField, {
    description: "What a form offers for a picture or a video beside its prompt; none for text.",
  }),
  group: text("The group that the price is for."),
  multiplier: Type.Number(),
  /** With the multiplier; null where it is free for want of a price. */
  price: orNull(
    Type.Object({
      ...Type.Partial(Type.Object(amounts)).properties,
      now: Type.Optional(Type.Partial(Type.Object(amounts))),
    }),
  ),
  reachable: Type.Boolean({ description: "Whether a channel would take a request for it now." }),
  channels: Type.Optional(
    Type.Array(ServingChannel, { description: "Who serves it, best first; for admins." }),
  ),
});
export type ModelView = Static<typeof ModelView>;

const namedGroup = {
  name: text(),
  multiplier: Type.Number({ description: "What listed prices are multiplied with." }),
};

export const OwnGroupView = Type.Object({
  ...namedGroup,
  groups: Type.Array(Type.Object(namedGroup), {
    description:
      "Those that one may give a key, one's own first: for ordinary accounts that alone.",
  }),
});
export type OwnGroupView = Static<typeof OwnGroupView>;

/** Filters of a list of models. */
export const byModel = {
  ...byName,
  kind: {
    schema: kindWord,
    description: "Of this kind only.",
  },
};

const { call, list } = callsOf("Own account");

export const modelCalls = {
  readGroup: call(
    "GET /api/group/self",
    "Read one's group, its multiplier, and the groups that one may give a key",
    {
      seats: everySeat,
      faceless: "The list of models says group and multiplier; the names are for programs.",
      answer: OwnGroupView,
    },
  ),
  list: list("GET /api/model", "List the models of one's group, with what they cost", {
    seats: everySeat,
    item: ModelView,
    filter: { ...byModel, group: { schema: text(), description: "Another group, for admins." } },
  }),
};
export type ModelCalls = typeof modelCalls;
