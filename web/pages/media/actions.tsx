// What is done with a task: it is stopped while it runs, deleted when it has ended, or asked for
// once more.
import { useState } from "preact/hooks";
import type { OwnTaskDetail } from "../../../src/admin/contract.ts";
import { call, refresh, useAction, withQuery } from "../../core/api.ts";
import { exactMoney } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { isRunning } from "./parts.tsx";
import { t } from "./words.ts";

interface ActionOptions {
  task: OwnTaskDetail;
  path: string;
  onGone(): void;
}

export function TaskActions({ task, path, onGone }: ActionOptions) {
  const [asks, setAsks] = useState<"cancel" | "delete" | null>(null);
  const again = withQuery(addressOf("playground"), { kind: task.kind, again: task.id });
  const runs = isRunning(task);
  return (
    <>
      {runs && task.kind === "video" && (
        <Button icon="stop" onClick={() => setAsks("cancel")}>
          {t().cancel}
        </Button>
      )}
      {!runs && task.deleted_at === null && (
        <Button icon="trash" onClick={() => setAsks("delete")}>
          {t().remove}
        </Button>
      )}
      {task.again !== null && (
        <LinkButton icon="refresh" href={again}>
          {t().again}
        </LinkButton>
      )}
      {asks === "cancel" && <CancelTask {...{ task, path }} onClose={() => setAsks(null)} />}
      {asks === "delete" && <DeleteTask {...{ path, onGone }} onClose={() => setAsks(null)} />}
    </>
  );
}

interface AskOptions {
  path: string;
  onClose(): void;
}

function CancelTask({ task, path, onClose }: AskOptions & { task: OwnTaskDetail }) {
  const cancel = useAction(async () => {
    await call("POST", `${path}/cancel`);
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

function DeleteTask({ path, onClose, onGone }: AskOptions & { onGone(): void }) {
  const remove = useAction(async () => {
    await call("DELETE", path);
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
