// Bodies of the calls about channels. Keys, headers and proxies are written here and never read.
import { ChannelInput } from "../../config/entities.ts";
import { channelChecker } from "../../config/entity-rules.ts";
import { invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { BodyEntry } from "../../core/reference-entry.ts";
import { anyObject, text, whole } from "../../core/schema-words.ts";
import { compile, parseWith, Type, type Static, type TSchema } from "../../core/schema.ts";
import { bodyBy, type CallBody } from "../call.ts";
import { patchOf } from "../patch.ts";

const vendor = { type: "openai", base_url: "https://api.example.com", key: "sk-example" };

export const channelBody = bodyBy(channelChecker, {
  name: "example",
  ...vendor,
  models: ["example-model"],
});

/** Some fields; what the channel becomes is judged as a whole, like a new one. */
export const channelPatch = patchOf(ChannelInput.properties, { example: { weight: 2 } });
export type ChannelPatch = ReturnType<typeof channelPatch.parse>;

/** A channel that is about to be made may lack its name and its models. */
export type ChannelDraft = Omit<ChannelInput, "name" | "models"> &
  Partial<Pick<ChannelInput, "name" | "models">>;

/** Fields that stand for those a draft lacks. */
export const draftFields = { name: "draft", models: ["draft"] };

function parseDraft(fields: JsonObject): ChannelDraft {
  return parseWith(channelChecker, { ...draftFields, ...fields });
}

export const discoverBody: CallBody<{ id: string } | ChannelDraft> = {
  schema: Type.Object({ id: Type.Optional(text()), ...Type.Partial(ChannelInput).properties }),
  example: vendor,
  parse({ id, ...fields }) {
    if (typeof id === "string") return { id };
    if (id !== undefined) throw invalid("id", "must be a channel's id");
    return parseDraft(fields);
  },
};

const batchChecker = compile(
  Type.Object(
    {
      ids: Type.Array(text(), { minItems: 1, maxItems: 500, uniqueItems: true }),
      change: Type.Optional(anyObject),
      remove: Type.Optional(Type.Literal(true)),
    },
    { additionalProperties: false },
  ),
);

const { name: _name, ...shared } = ChannelInput.properties;

interface ChannelsChange {
  ids: string[];
  change?: ChannelPatch;
  remove?: true;
}

export const batchBody: CallBody<ChannelsChange> = {
  schema: Type.Object({
    ids: Type.Array(text(), { description: "Those that are meant, by their ids." }),
    change: Type.Optional(
      Type.Object(Type.Partial(Type.Object(shared)).properties, {
        description: "Fields that all of them get.",
      }),
    ),
    remove: Type.Optional(Type.Literal(true, { description: "They are deleted instead." })),
  }),
  example: { ids: ["chn_01j00000000000000000000000"], change: { weight: 2 } },
  parse(body) {
    const { change, ...batch } = parseWith(batchChecker, body);
    if ((change === undefined) === (batch.remove === undefined)) {
      throw invalid("change", "or remove has to be there, and only one of them");
    }
    return change === undefined ? batch : { ...batch, change: channelPatch.parse(change) };
  },
};

/** Unknown fields are refused, though the reference does not say so. */
function closedBody<Schema extends TSchema>(schema: Schema, example: BodyEntry["example"]) {
  const checker = compile<Schema>({ ...schema, additionalProperties: false });
  const parse = (body: JsonObject): Static<Schema> => parseWith(checker, body);
  return { schema, example, parse, isOptional: true } as const;
}

export const copyBody = closedBody(Type.Object({ name: Type.Optional(text()) }), {
  name: "a copy",
});

const isPosition = (position: number) => position >= 0;
const TrialChoice = Type.Object({
  model: Type.Optional(text()),
  key: Type.Optional(Type.Refine(whole("Which key, from 0 on."), isPosition, () => "must be >= 0")),
});
export const trialBody = closedBody(TrialChoice, {});

export const draftTrialBody: CallBody<ChannelDraft & { model?: string }> = {
  schema: Type.Object({ model: Type.Optional(text()), ...Type.Partial(ChannelInput).properties }),
  example: { ...vendor, models: ["m"] },
  parse({ model, ...fields }) {
    const choice = trialBody.parse(model === undefined ? {} : { model });
    return { ...parseDraft(fields), ...(choice.model !== undefined && { model: choice.model }) };
  },
};
