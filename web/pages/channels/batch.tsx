// Acts on the selected channels, all at once.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import type { Status } from "../../../src/admin/contract.ts";
import { Button } from "../../kit/button.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { decimal } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { changeMany, RemoveChannels } from "./actions.tsx";
import { t } from "./words.ts";

interface BatchOptions {
  ids: readonly string[];
  onDone(): void;
}

export function BatchBar({ ids, onDone }: BatchOptions) {
  const [dialog, setDialog] = useState<"priority" | "remove" | null>(null);
  const words = t();
  const turn = useAction(async (status: Status) => {
    showToast(t().wereChanged(await changeMany(ids, { status })));
    onDone();
  });
  const close = () => setDialog(null);
  return (
    <div class="notice" role="group" aria-label={words.selected(ids.length)}>
      <span class="strong">{words.selected(ids.length)}</span>
      <span class="push row wraps">
        <Button isSmall isBusy={turn.isBusy} onClick={() => void turn.run("enabled")}>
          {words.enable}
        </Button>
        <Button isSmall isBusy={turn.isBusy} onClick={() => void turn.run("disabled")}>
          {words.disable}
        </Button>
        <Button isSmall onClick={() => setDialog("priority")}>
          {words.setPriority}
        </Button>
        <Button isSmall icon="trash" onClick={() => setDialog("remove")}>
          {words.remove}
        </Button>
        <Button kind="plain" isSmall onClick={onDone}>
          {words.clear}
        </Button>
      </span>
      <Refusal error={turn.error} />
      {dialog === "priority" && <PriorityDialog {...{ ids, onDone }} onClose={close} />}
      {dialog === "remove" && (
        <RemoveChannels ids={ids} name={null} onClose={close} onDone={onDone} />
      )}
    </div>
  );
}

const priorityForm = formOf<{ priority: number }>()(
  [decimal("priority", { start: "0", isRequired: true, hasFocus: true })],
  t,
);

function PriorityDialog({ ids, onDone, onClose }: BatchOptions & { onClose(): void }) {
  const forming = useForm(priorityForm, null);
  const set = useAction(async () => {
    const body = forming.body();
    showToast(t().wereMoved(await changeMany(ids, body), body.priority));
    onDone();
  });
  return (
    <FormDialog title={t().setPriority} submit={t().setPriority} action={set} onClose={onClose}>
      <FormFields forming={forming} error={set.error} />
    </FormDialog>
  );
}
