// What is done about notices, and what the reference says of it.
import { verbsOf } from "../verb.ts";
import { NoticeTestInput, NoticeTestView, NoticeView } from "./contract.ts";
import { listNoticeViews } from "./list.ts";
import { testDestination } from "./test-destination.ts";

const { list, verb } = verbsOf("System");

export const noticeVerbs = {
  list: list("List what needed a person", NoticeView, listNoticeViews),
  test: verb("Send a test to a destination of notices", "body", testDestination, {
    body: { schema: NoticeTestInput, example: { destination: "ops" } },
    answer: NoticeTestView,
  }),
};
