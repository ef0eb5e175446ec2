// A request's way through conversions, as it goes over the wire.
import type { Json, JsonObject } from "../../core/json.ts";
import { anyObject, anything, orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { channelFormats } from "../../config/entities.ts";
import { bodyOf, callsOf } from "../call.ts";
import { money, moneySchema } from "../contract/basics.ts";

export const ConvertView = Type.Object({
  url: text("Where it would be sent."),
  headers: Type.Record(Type.String(), Type.String(), {
    description: "What it would be sent with; `[key]` stands for the key.",
  }),
  body: Type.Unsafe<JsonObject>({
    ...anyObject,
    description: "What the vendor would get.",
  }),
  format: text("The format that the vendor is spoken to in."),
  converted: Type.Boolean({ description: "Whether that is another than the client's." }),
  upstream_model: text(),
  ignored: Type.Array(text(), {
    description: "Fields that are left out, as the client wrote them.",
  }),
  added: Type.Array(text(), { description: "Bounds that the client did not name." }),
  hold: Type.Object(
    {
      micros: moneySchema,
      input_tokens_max: whole("The most that its input can count."),
      output_tokens_max: whole("The most that its answers can count."),
    },
    { description: "What would be held for it." },
  ),
  reply: orNull(
    Type.Object(
      {
        body: Type.Unsafe<Json>({
          ...anything,
          description: "What the client would read; null of a stream.",
        }),
        events: orNull(text("The same of a stream, as it goes over the wire.")),
        input_tokens: orNull(whole("As the vendor tells them.")),
        output_tokens: orNull(whole("As the vendor tells them.")),
        charged_micros: orNull(
          money(whole("Millionths of a US dollar; null where tokens would be counted first.")),
        ),
      },
      { description: "What becomes of the answer that was given." },
    ),
  ),
});
export type ConvertView = Static<typeof ConvertView>;

const ConvertInput = Type.Object(
  {
    format: Type.String({ description: "The format of the client, such as `chat`." }),
    body: Type.Unsafe<JsonObject>({ ...anyObject, description: "What the client sends." }),
    model: Type.Optional(
      Type.String({ description: "Where the address names it and not the body." }),
    ),
    stream: Type.Optional(
      Type.Boolean({ description: "Where the address asks for a stream and not the body." }),
    ),
    channel: Type.Optional(Type.String({ description: "On this channel, by its id." })),
    dialect: Type.Optional(
      Type.Enum(channelFormats, { description: "On some vendor of this format instead." }),
    ),
    group: Type.Optional(Type.String({ description: "Whose prices hold. Default: `default`." })),
    reply: Type.Optional(
      Type.Unsafe<Json>({
        description: "An answer of the vendor: an object, or the text of an event stream.",
      }),
    ),
  },
  { additionalProperties: false },
);

const { call } = callsOf("Channels");

export const convertCalls = {
  run: call("POST /api/convert", "What a vendor would get of a request", {
    permission: "channels.read",
    description:
      "The address, the headers without the key, the body, what is left out and what would be " +
      "held; of an answer, what the client would read and pay. Nothing is sent.",
    body: bodyOf(ConvertInput, {
      format: "chat",
      body: { model: "chatA", messages: [{ role: "user", content: "hello" }] },
      dialect: "messages",
    }),
    answer: ConvertView,
  }),
};
export type ConvertCalls = typeof convertCalls;
