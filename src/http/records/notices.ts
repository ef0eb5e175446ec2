// The routes of what needed a person.
import type { NoticeNeeds } from "../../admin/notice/needs.ts";
import { noticeVerbs } from "../../admin/notice/verbs.ts";
import { routesOf } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function noticeRoutes(needs: NoticeNeeds): ControlRoute[] {
  return routesOf(needs, noticeVerbs);
}
