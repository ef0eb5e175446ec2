// The exchange of the gateway's own secret, as it goes over the wire. The secret itself never does.
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { callsOf } from "../call.ts";
import { progressFields, progressNote } from "../contract/progress.ts";

/** Steps of sealing anew, in their order. */
export const secretSteps = ["channels", "settings", "people", "mail", "contents", "proof"] as const;
export type SecretStep = (typeof secretSteps)[number];

export const SecretWorkView = Type.Object(
  {
    ...progressFields,
    step: orNull(
      Type.Unsafe<SecretStep>({ ...word(...secretSteps), description: "Rows that it is at." }),
    ),
    result: Type.Unsafe<{ rows: number; unreadable: number; next: string | null } | null>({
      ...orNull(
        Type.Object({
          rows: whole("Values that were sealed anew."),
          unreadable: whole("Values that neither secret opens, which were left as they are."),
          next: orNull(text("A step that is left to do.")),
        }),
      ),
      description: "What came of it; null until it is done.",
    }),
  },
  progressNote,
);
export type SecretWorkView = Static<typeof SecretWorkView>;

export const SecretView = Type.Object({
  place: Type.Unsafe<"file" | "variable">({
    ...word("file", "variable"),
    description: "Where the secret is: in the data folder, or given by SLUICE_SECRET.",
  }),
  has_second: Type.Boolean({ description: "A second secret opens, too: an exchange is begun." }),
  obstacle: orNull(text("What is to be done before it can be exchanged; null for nothing.")),
  work: orNull(SecretWorkView),
});
export type SecretView = Static<typeof SecretView>;

const { call } = callsOf("Secret");
const guarded = { permission: "gateway.backup" } as const;

export const secretCalls = {
  read: call("GET /api/secret", "Read how an exchange of the secret is going", {
    ...guarded,
    description: "The secret itself is shown nowhere.",
    answer: SecretView,
  }),
  rotate: call("POST /api/secret/rotate", "Exchange the secret", {
    ...guarded,
    description:
      "Where the secret is in the data folder, a new one is made. Then everything is sealed with " +
      "the new one, row by row, while the gateway serves; until that has ended, both open.",
    answer: SecretWorkView,
  }),
};
export type SecretCalls = typeof secretCalls;
