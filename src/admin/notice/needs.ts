// Needs of showing notices and of trying a destination.
import type { NoticeSender } from "../../notices/sender.ts";
import type { NotingNeeds } from "../audit/entry.ts";

export interface NoticeNeeds {
  noting: NotingNeeds;
  sender: Pick<NoticeSender, "test" | "hasWay">;
}
