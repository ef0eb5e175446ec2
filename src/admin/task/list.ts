// Tasks as operators see them: where they run and what they came to cost.
import { invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { listTaskOverviews, type TaskFilter, type TaskOverview } from "../../tasks/queries.ts";
import { transitions, type TaskState } from "../../tasks/task.ts";
import type { Listed, OwnTaskView, TaskView } from "../contract.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { readAccountFilter } from "../named.ts";
import { readPage, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { TaskWorkNeeds } from "./needs.ts";
import { previewOf } from "./results.ts";

type TaskListNeeds = Pick<TaskWorkNeeds, "records" | "media">;

/** Everyone's, or those of the `account`, `state`, `kind` or `model` that is named. */
export async function listTaskViews(
  needs: TaskListNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<TaskView>> {
  const page = readPage(query);
  const { database, store } = needs.records;
  const filter = await readFilter(needs.records, query);
  await store.applied();
  const { items, total } = await listTaskOverviews(database, filter, page);
  const view = (row: TaskOverview) => toView(row, needs);
  return toListed(page, items.map(view), total);
}

/** One's own, without those that one has deleted. */
export async function listOwnTaskViews(
  needs: TaskListNeeds,
  { accountId }: Operator,
  query: URLSearchParams,
): Promise<Listed<OwnTaskView>> {
  const page = readPage(query);
  const filter = { ...readPlainFilter(query), accountId, withDeleted: false };
  const { database, store } = needs.records;
  await store.applied();
  const { items, total } = await listTaskOverviews(database, filter, page);
  const view = (row: TaskOverview) => toOwnView(row, needs);
  return toListed(page, items.map(view), total);
}

async function readFilter(needs: RecordNeeds, query: URLSearchParams): Promise<TaskFilter> {
  const filter = readPlainFilter(query);
  const accountId = await readAccountFilter(needs, query);
  return { ...filter, ...(accountId !== null && { accountId }) };
}

function readPlainFilter(query: URLSearchParams): TaskFilter {
  const [model, state, kind] = [query.get("model"), query.get("state"), query.get("kind")];
  if (state && !isState(state)) {
    throw invalid("state", `must be one of ${Object.keys(transitions).join(", ")}`);
  }
  if (kind && !isKind(kind)) throw invalid("kind", "must be video or image");
  return {
    ...(model && { model }),
    ...(state && isState(state) && { state }),
    ...(kind && isKind(kind) && { kind }),
  };
}

function isKind(text: string): text is "video" | "image" {
  return text === "video" || text === "image";
}

function isState(text: string): text is TaskState {
  return Object.hasOwn(transitions, text);
}

export function toView(row: TaskOverview, needs: TaskListNeeds): TaskView {
  const { channels } = needs.records;
  return {
    ...toOwnView(row, needs),
    account: row.username,
    channel_id: row.channel_id,
    channel: channels.find(row.channel_id)?.settings.name ?? null,
    upstream_model: row.upstream_model,
    loss_micros: row.loss_micros,
  };
}

export function toOwnView(row: TaskOverview, { media }: TaskListNeeds): OwnTaskView {
  return {
    id: row.id,
    kind: row.kind,
    key_id: row.key_id,
    group: row.group_name,
    family: row.family,
    model: row.model,
    preview: row.result === null ? null : previewOf(media, row.result),
    state: row.state,
    progress: row.progress,
    held_micros: row.micros === null ? row.held_micros : 0,
    micros: row.micros,
    error: row.error === null ? null : JSON.parse(row.error),
    webhook_url: row.webhook_url,
    created_at: toSeconds(row.created_at_ms),
    deadline_at: toSeconds(row.deadline_at_ms),
    completed_at: toSecondsOrNull(row.completed_at_ms),
    deleted_at: toSecondsOrNull(row.deleted_at_ms),
  };
}
