// E-mail of the gateway as it goes over the wire: a test of the server.
import { orNull, text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { emailField } from "../user/fields.ts";

const MailTestInput = Type.Object({ to: emailField }, { additionalProperties: false });

export const MailTestView = Type.Object({
  to: text("Where it went."),
  delivered: Type.Boolean({ description: "Whether the server took it." }),
  error: orNull(text("Why it did not.")),
});
export type MailTestView = Static<typeof MailTestView>;

const { call } = callsOf("System");

export const mailCalls = {
  test: call("POST /api/mail/test", "Send a letter that is only a test", {
    permission: "settings.write",
    body: bodyOf(MailTestInput, { to: "ann@example.com" }),
    answer: MailTestView,
  }),
};
export type MailCalls = typeof mailCalls;
