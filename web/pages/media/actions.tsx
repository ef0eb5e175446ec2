// Acts on a task: it is stopped while it runs, deleted when it has ended, or asked for once more.
import { useState } from "preact/hooks";
import type { OwnTaskDetail } from "../../../src/admin/contract.ts";
import { send } from "../../core/control.ts";
import { refresh, useAction, withQuery } from "../../core/api.ts";
import { exactMoney } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { may, scopedAt, seesContents } from "../../core/session.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { isRunning } from "./parts.tsx";
import { t } from "./words.ts";

interface ActionOptions {
  task: OwnTaskDetail;
  onGone(): void;
}

export function hasActions(): boolean {
  return seesContents() || may("requests.end");
}

export function TaskActions({ task, onGone }: ActionOptions) {
  const [asks, setAsks] = useState<"cancel" | "delete" | null>(null);
  const again = withQuery(addressOf("playground"), { kind: task.kind, again: task.id });
  const runs = isRunning(task);
  const mayEnd = !may("usage.read") || may("requests.end");
  return (
    <>
      {mayEnd && runs && task.kind === "video" && (
        <Button icon="stop" onClick={() => setAsks("cancel")}>
          {t().cancel}
        </Button>
      )}
      {mayEnd && !runs && task.deleted_at === null && (
        <Button icon="trash" onClick={() => setAsks("delete")}>
          {t().remove}
        </Button>
      )}
      {seesContents() && task.again !== null && (
        <LinkButton icon="refresh" href={again}>
          {t().again}
        </LinkButton>
      )}
      {asks === "cancel" && <CancelTask task={task} onClose={() => setAsks(null)} />}
      {asks === "delete" && <DeleteTask {...{ task, onGone }} onClose={() => setAsks(null)} />}
    </>
  );
}

interface AskOptions {
  task: OwnTaskDetail;
  onClose(): void;
}

function CancelTask({ task, onClose }: AskOptions) {
  const cancel = useAction(async () => {
    const at = scopedAt(
      "POST /api/task/{id}/cancel",
      "POST /api/task/self/{id}/cancel",
      "requests.end",
    );
    await send(at, { id: task.id });
    refresh("/api/task");
    showToast(t().wasCancelled);
  });
  return (
    <Confirm
      title={t().cancelTitle}
      effect={t().cancelEffect(exactMoney(task.held_micros))}
      submit={t().cancel}
      action={cancel}
      onClose={onClose}
    />
  );
}

function DeleteTask({ task, onClose, onGone }: AskOptions & { onGone(): void }) {
  const remove = useAction(async () => {
    await send(scopedAt("DELETE /api/task/{id}", "DELETE /api/task/self/{id}", "requests.end"), {
      id: task.id,
    });
    onGone();
    refresh("/api/task");
    showToast(t().wasRemoved);
  });
  return (
    <Confirm
      title={t().removeTitle}
      effect={t().removeEffect}
      submit={t().remove}
      action={remove}
      onClose={onClose}
    />
  );
}
