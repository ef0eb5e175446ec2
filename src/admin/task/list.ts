// Tasks as operators see them: where they run and what they came to cost.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccountByName } from "../../identity/queries.ts";
import { listTaskOverviews, type TaskFilter, type TaskOverview } from "../../tasks/queries.ts";
import { transitions, type TaskState } from "../../tasks/task.ts";
import type { Listed, TaskView } from "../contract.ts";
import { invalid, toSeconds } from "../input.ts";
import { readPage, toListed } from "../page.ts";
import type { ControlParts } from "../parts.ts";

/** Everyone's, or those of the `account`, `state` or `model` that is named. */
export async function listTaskViews(
  parts: ControlParts,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<TaskView>> {
  const page = readPage(query);
  const filter = await readFilter(parts, query);
  await parts.store.applied();
  const { items, total } = await listTaskOverviews(parts.database, filter, page);
  const view = (row: TaskOverview) => toView(row, parts);
  return toListed(page, items.map(view), total);
}

async function readFilter({ database }: ControlParts, query: URLSearchParams): Promise<TaskFilter> {
  const model = query.get("model");
  const state = query.get("state");
  const username = query.get("account");
  if (state && !isState(state)) {
    throw invalid("state", `must be one of ${Object.keys(transitions).join(", ")}`);
  }
  const account = username ? await findAccountByName(database, username) : null;
  if (username && !account) throw new GatewayError("not_found", { param: "account" });
  return {
    ...(model && { model }),
    ...(state && isState(state) && { state }),
    ...(account && { accountId: account.id }),
  };
}

function isState(text: string): text is TaskState {
  return Object.hasOwn(transitions, text);
}

function toView(row: TaskOverview, { channels }: ControlParts): TaskView {
  return {
    id: row.id,
    kind: row.kind,
    account: row.username,
    key_id: row.key_id,
    group: row.group_name,
    family: row.family,
    model: row.model,
    state: row.state,
    progress: row.progress,
    channel_id: row.channel_id,
    channel: channels.find(row.channel_id)?.settings.name ?? null,
    upstream_model: row.upstream_model,
    held_micros: row.micros === null ? row.held_micros : 0,
    micros: row.micros,
    loss_micros: row.loss_micros,
    error: row.error === null ? null : JSON.parse(row.error),
    webhook_url: row.webhook_url,
    created_at: toSeconds(row.created_at_ms),
    deadline_at: toSeconds(row.deadline_at_ms),
    completed_at: row.completed_at_ms === null ? null : toSeconds(row.completed_at_ms),
    deleted_at: row.deleted_at_ms === null ? null : toSeconds(row.deleted_at_ms),
  };
}
