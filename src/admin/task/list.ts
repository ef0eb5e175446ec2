// Tasks as operators see them: where they run and what they came to cost.
import type { Operator } from "../../identity/caller.ts";
import { listTaskOverviews, type TaskFilter, type TaskOverview } from "../../tasks/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { accountNamed, ownWhoseNamed } from "../named.ts";
import { pageOf, toListed } from "../page.ts";
import type { OwnTaskView, TaskCalls, TaskView } from "./contract.ts";
import type { TaskWorkNeeds } from "./needs.ts";
import { previewOf } from "./results.ts";

type TaskListNeeds = Pick<TaskWorkNeeds, "records" | "media">;

/** Everyone's, or those of the `account`, `state`, `kind` or `model` that is named. */
export async function listTaskViews(
  needs: TaskListNeeds,
  _operator: Operator,
  { query }: InputOf<TaskCalls["list"]>,
): Promise<Listed<TaskView>> {
  const page = pageOf(query);
  const { database, store } = needs.records;
  const accountId = await accountNamed(needs.records, query.account);
  const filter = { ...toFilter(query), ...(accountId !== null && { accountId }) };
  await store.applied();
  const { items, total } = await listTaskOverviews(database, filter, page);
  const view = (row: TaskOverview) => toView(row, needs);
  return toListed(page, items.map(view), total);
}

/** One's own, without those that one has deleted. */
export async function listOwnTaskViews(
  needs: TaskListNeeds,
  operator: Operator,
  { query }: InputOf<TaskCalls["listOwn"]>,
): Promise<Listed<OwnTaskView>> {
  const page = pageOf(query);
  const whose = await ownWhoseNamed(needs.records, operator, {});
  const filter = { ...toFilter(query), ...whose, withDeleted: false };
  const { database, store } = needs.records;
  await store.applied();
  const { items, total } = await listTaskOverviews(database, filter, page);
  const view = (row: TaskOverview) => toOwnView(row, needs);
  return toListed(page, items.map(view), total);
}

function toFilter({ model, state, kind }: InputOf<TaskCalls["listOwn"]>["query"]): TaskFilter {
  return { ...(model && { model }), ...(state && { state }), ...(kind && { kind }) };
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
