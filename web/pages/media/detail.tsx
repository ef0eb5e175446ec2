// One video or set of images: what was asked for, what came of it, what it cost and who was told.
import { useEffect, useState } from "preact/hooks";
import type { OwnTaskDetail, TaskDetail } from "../../../src/admin/contract.ts";
import { pathOf, usePolled } from "../../core/control.ts";
import { exactMoney, moment } from "../../core/format.ts";
import { addressOf, openId } from "../../core/place.ts";
import { may, scopedAt, seesContents } from "../../core/session.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { CurlButton, Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { hasActions, TaskActions } from "./actions.tsx";
import { Asked } from "./asked.tsx";
import { Cost, isRunning, Progress, stateName, TaskState } from "./parts.tsx";
import { Results } from "./results.tsx";
import { Callbacks } from "./callbacks.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { t } from "./words.ts";

/** Fields of everyone's tasks that one's own leave out are optional. */
export type Whole = OwnTaskDetail & Partial<TaskDetail>;

const everyMs = 2000;

type DrawerOptions = { id: string } & Steps;

export function TaskDrawer({ id, onPrevious, onNext }: DrawerOptions) {
  const at = scopedAt("GET /api/task/{id}", "GET /api/task/self/{id}");
  const path = pathOf(at, { id });
  const [isMoving, setMoving] = useState(false);
  const { data, error, reload } = usePolled(isMoving ? everyMs : 0, at, { id });
  const runs = data !== null && isRunning(data);
  useEffect(() => setMoving(runs), [runs]);
  const title = data ? `${t().kinds[data.kind]} · ${data.model}` : t().task;
  const footer = data && hasActions() && <TaskActions task={data} onGone={() => openId(null)} />;
  return (
    <Drawer {...{ title, footer, onPrevious, onNext }} isWide onClose={() => openId(null)}>
      <Waiting {...{ data, error, reload }} lines={10} />
      {data && <TaskBody task={data} />}
      <div class="row">
        <CurlButton path={path} />
      </div>
    </Drawer>
  );
}

function TaskBody({ task }: { task: Whole }) {
  const { error } = task;
  return (
    <>
      {isRunning(task) && <Progress task={task} />}
      {error && (
        <p class="notice bad">
          <span class="mono">{error.code}</span>
          <span class="wrap">{error.message}</span>
        </p>
      )}
      {seesContents() && task.results.length > 0 && <Results task={task} />}
      {seesContents() && <Asked asked={task.asked} />}
      <TaskFacts task={task} />
      <Timeline task={task} />
      {task.callbacks.length > 0 && <Callbacks rows={task.callbacks} />}
    </>
  );
}

function TaskFacts({ task }: { task: Whole }) {
  const words = t();
  const at = (seconds: number | null | undefined) =>
    seconds === null || seconds === undefined ? null : moment(seconds, "full");
  return (
    <Facts
      pairs={[
        [words.state, <TaskState task={task} />],
        [words.cost, <Cost task={task} />],
        task.loss_micros
          ? [words.loss, <span class="warn">{exactMoney(task.loss_micros)}</span>]
          : null,
        [words.model, <span class="mono">{task.model}</span>],
        may("usage.read") && [words.account, task.account],
        may("usage.read") && [words.channel, task.channel ?? task.channel_id],
        may("usage.read") && [words.upstreamModel, <span class="mono">{task.upstream_model}</span>],
        [words.group, task.group],
        [words.key, <a href={addressOf("keys", task.key_id)}>{task.key_name ?? task.key_id}</a>],
        isRunning(task) && [words.deadline, at(task.deadline_at)],
        isRunning(task) && [words.nextPoll, at(task.next_poll_at)],
        isRunning(task) && [words.lease, at(task.lease_until)],
        [words.operation, task.operation && <span class="mono wrap">{task.operation}</span>],
        [words.id, <Id text={task.id} />],
      ]}
    />
  );
}

function Timeline({ task: { states } }: { task: Whole }) {
  return (
    <section class="stack" aria-label={t().timeline}>
      <h3>{t().timeline}</h3>
      <ol class="timeline">
        {states.map(({ state, at }) => (
          <li key={state}>
            <span class="strong">{stateName(state)}</span>
            <span class="faint">{moment(at, "full")}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
