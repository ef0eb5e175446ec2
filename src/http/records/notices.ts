// The routes of what needed a person.
import type { NoticeNeeds } from "../../admin/notice/needs.ts";
import { noticeVerbs } from "../../admin/notice/verbs.ts";
import { rowsWith } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function noticeRoutes(needs: NoticeNeeds): ControlRoute[] {
  const notice = rowsWith(needs);
  return [
    notice("GET", "/api/notice", "admin", noticeVerbs.list),
    notice("POST", "/api/notice/test", "admin", noticeVerbs.test),
  ];
}
