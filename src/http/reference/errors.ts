// Errors of a route, by its envelope.
import { anyObject, orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type TSchema } from "../../core/schema.ts";
import type { EnvelopeName } from "../envelopes/index.ts";

const shown = {
  message: text(),
  type: text("The kind of error, such as invalid_request_error."),
  param: orNull(text("The field that is wrong, where one is.")),
  code: orNull(text("One of the codes in docs/errors.md.")),
};

const a = Type.Object({ error: Type.Object(shown) });
const b = Type.Object({ code: orNull(text()), message: text(), data: Type.Null() });
const c = Type.Object({ error: Type.Object({ message: text(), type: text() }) });

/** In the words of Google's own clients, or in ours with Google's word for the status. */
const google = Type.Union([
  Type.Object({ error: Type.Object({ ...shown, status: text() }) }),
  Type.Object({
    error: Type.Object({
      code: whole(),
      message: text(),
      status: text(),
      details: Type.Array(anyObject),
    }),
  }),
]);

const messages = Type.Object({
  type: Type.Literal("error"),
  error: Type.Object(shown),
  request_id: text(),
});

export const failureSchema = Type.Object({
  success: Type.Literal(false),
  message: text(),
  code: orNull(text()),
  param: orNull(text("The field that is wrong, where one is.")),
});

const videoE = Type.Object({
  code: whole("The vendor's own number, never 0."),
  message: text(),
  request_id: text(),
  error: Type.Object(shown),
});

const imgF = Type.Object({
  code: whole("The dialect's number: 3 not found, 4 wrong, 23 full, 24 banned, 9 failed."),
  description: text(),
  error: Type.Object(shown),
});

/** The kind of the error is in the header `x-amzn-errortype`. */
const bedrock = Type.Object(shown);

export const errorSchemas: Readonly<Record<EnvelopeName, TSchema>> = {
  a,
  b,
  c,
  bedrock,
  google,
  messages,
  models: Type.Union([a, google]),
  session: failureSchema,
  unified: Type.Union([a, b]),
  "video-e": videoE,
  "img-f": imgF,
};
