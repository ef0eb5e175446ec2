// Operators' notes on a model.
import { useState } from "preact/hooks";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer } from "../../core/control.ts";
import { may } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { area } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

export function ModelNote({ model }: { model: string }) {
  const { data } = useAnswer("GET /api/model-note", { query: { model } });
  const [isEditing, setEditing] = useState(false);
  const note = data?.items[0]?.note ?? null;
  if (!data || (note === null && !may("site.write"))) return null;
  return (
    <>
      <h3>{t().note}</h3>
      <p class="quiet wrap">{note ?? t().noNote}</p>
      {may("site.write") && (
        <div class="row">
          <Button icon="edit" onClick={() => setEditing(true)}>
            {t().editNote}
          </Button>
        </div>
      )}
      {isEditing && <EditNote {...{ model, note }} onClose={() => setEditing(false)} />}
    </>
  );
}

const noteForm = formOf<{ note: string }>()([area("note")], t);

interface EditOptions {
  model: string;
  note: string | null;
  onClose(): void;
}

function EditNote({ model, note, onClose }: EditOptions) {
  const forming = useForm(noteForm, note === null ? null : { note });
  const save = useAction(async () => {
    const { note: text } = forming.body();
    if (text) await send("POST /api/model-note", { body: { model, note: text } });
    else if (note !== null) await send("DELETE /api/model-note", { query: { model } });
    refresh("/api/model-note");
    showToast(t().changed(model));
    onClose();
  });
  return (
    <FormDialog title={t().editNote} submit={t().save} action={save} onClose={onClose}>
      <FormFields forming={forming} error={save.error} />
    </FormDialog>
  );
}
