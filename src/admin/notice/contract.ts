// Notices as they go over the wire.
import { noticeKinds } from "../../config/notices.ts";
import type { JsonObject } from "../../core/json.ts";
import { anyObject, orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { changesKeyword, momentSchema } from "../contract/basics.ts";

export const NoticeView = Type.Object({
  id: text(),
  kind: Type.Enum(noticeKinds, { description: "What it is about." }),
  text: Type.Unsafe<string>({ ...text("What people are told."), [changesKeyword]: true }),
  details: Type.Unsafe<JsonObject>({
    ...anyObject,
    [changesKeyword]: true,
    description: "The same for programs.",
  }),
  at: momentSchema,
  ended_at: orNull(momentSchema),
  deliveries: Type.Array(
    Type.Object({
      destination: text("By its name in the configuration; empty for the account's own address."),
      attempts: whole("How often it was tried."),
      delivered_at: orNull(momentSchema),
      next_attempt_at: orNull(momentSchema),
      error: orNull(text("Why the last try did not arrive.")),
    }),
    { description: "Whom it is told." },
  ),
});
export type NoticeView = Static<typeof NoticeView>;

const NoticeTestInput = Type.Object(
  {
    destination: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Its name in the configuration.",
    }),
  },
  { additionalProperties: false },
);

export const NoticeTestView = Type.Object({
  destination: text("Where it went."),
  delivered: Type.Boolean({ description: "Whether it arrived." }),
  error: orNull(text("Why it did not.")),
});
export type NoticeTestView = Static<typeof NoticeTestView>;

const { call, list } = callsOf("System");

export const noticeCalls = {
  list: list("GET /api/notice", "List what needed a person", {
    permission: "settings.read",
    item: NoticeView,
    filter: {},
  }),
  test: call("POST /api/notice/test", "Send a test to a destination of notices", {
    permission: "settings.write",
    body: bodyOf(NoticeTestInput, { destination: "ops" }),
    answer: NoticeTestView,
  }),
};
export type NoticeCalls = typeof noticeCalls;
