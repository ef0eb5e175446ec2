// Needs of showing a task whole, and of ending it.
import type { Links } from "../../gateway/own-links.ts";
import type { TaskKinds } from "../../gateway/task/kinds.ts";
import type { TaskBook } from "../../tasks/book.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { RecordNeeds } from "../record-needs.ts";

export interface TaskWorkNeeds {
  records: RecordNeeds;
  noting: NotingNeeds;
  kinds: Pick<TaskKinds, "render" | "stop">;
  media: Links;
  book: Pick<TaskBook, "find" | "remove">;
}
