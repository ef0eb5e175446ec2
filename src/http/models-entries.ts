// Entries of the reference on the model lists.
import type { ReferenceEntry } from "../core/reference-entry.ts";
import { PriceInput } from "../config/entities.ts";
import { orNull, text, whole } from "../core/schema-words.ts";
import { Type } from "../core/schema.ts";

const tag = "Models";

/** Prices the key pays, in the words of the control plane. */
const { model: _model, ...amounts } = PriceInput.properties;
const shownPrice = Type.Partial(Type.Object(amounts));

const listedModel = Type.Object({
  id: text(),
  object: Type.Literal("model"),
  created: whole("Unix seconds."),
  owned_by: text(),
  supported_endpoint_types: Type.Array(text()),
  /** Absent where nobody knows it. */
  context_length: Type.Optional(whole("Tokens that the model reads.")),
  max_output_tokens: Type.Optional(whole("Tokens of an answer at most.")),
  /** With the multiplier of the key's group; null where it is free for want of a price. */
  pricing: orNull(shownPrice),
});

/** The shape for Anthropic's clients, which say so by `anthropic-version`. */
const anthropicModel = Type.Object({
  type: Type.Literal("model"),
  id: text(),
  display_name: text(),
  created_at: text(),
  max_input_tokens: Type.Optional(whole("Tokens that the model reads.")),
  max_tokens: Type.Optional(whole("Tokens of an answer at most.")),
});

const googleModel = Type.Object({
  name: text(),
  displayName: text(),
  supportedGenerationMethods: Type.Array(text()),
  inputTokenLimit: whole(),
  outputTokenLimit: whole(),
});

const googleQuery = {
  pageSize: { schema: Type.Integer({ minimum: 1 }) },
  pageToken: { schema: text() },
};

const googleList = Type.Object({
  models: Type.Array(googleModel),
  nextPageToken: Type.Optional(text()),
});

const { supportedGenerationMethods: _methods, ...shown } = googleModel.properties;
const vertexModel = Type.Object(shown);

export const modelEntries = {
  list: {
    tag,
    summary: "List the models that the key may use",
    description:
      "With an `anthropic-version` header in the shape of Anthropic's list, with the key in an " +
      "`x-goog-api-key` header or in `?key=` as under `/v1beta`.",
    query: googleQuery,
    answer: Type.Union([
      Type.Object({ object: Type.Literal("list"), data: Type.Array(listedModel) }),
      Type.Object({
        object: Type.Literal("list"),
        data: Type.Array(anthropicModel),
        has_more: Type.Boolean(),
      }),
      Type.Object({ object: Type.Literal("list"), ...googleList.properties }),
    ]),
  },
  read: {
    tag,
    summary: "Read a model",
    answer: Type.Union([listedModel, anthropicModel, googleModel]),
  },
  listForGoogle: {
    tag,
    summary: "List the models as Google does",
    query: googleQuery,
    answer: googleList,
  },
  readForGoogle: {
    tag,
    summary: "Read a model as Google shows it",
    answer: googleModel,
  },
  listForVertex: {
    tag,
    summary: "List the models as Vertex AI does",
    query: googleQuery,
    answer: Type.Object({
      publisherModels: Type.Array(vertexModel),
      nextPageToken: Type.Optional(text()),
    }),
  },
  readForVertex: {
    tag,
    summary: "Read a model as Vertex AI shows it",
    answer: vertexModel,
  },
} satisfies Record<string, ReferenceEntry>;
