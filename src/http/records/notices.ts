// The routes of what needed a person, and of trying the ways to reach one.
import type { MailTestNeeds } from "../../admin/mail/test-mail.ts";
import { mailVerbs } from "../../admin/mail/verbs.ts";
import type { NoticeNeeds } from "../../admin/notice/needs.ts";
import { noticeVerbs } from "../../admin/notice/verbs.ts";
import { routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

/** Routes of the server for e-mail. */
export function mailTestRoutes(needs: MailTestNeeds): ControlRoute[] {
  return routesOf(needs, mailVerbs);
}

export function noticeRoutes(needs: NoticeNeeds): ControlRoute[] {
  return routesOf(needs, noticeVerbs);
}
