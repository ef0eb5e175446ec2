// Writing an announcement, with what it will look like.
import type { AnnouncementView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { area, check, moment, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { Told } from "../../kit/markdown/told.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

const announcementForm = formOf<BodyOf<"POST /api/announcement">, AnnouncementView>()(
  [
    text("title", { isRequired: true, hasFocus: true }),
    area("text", { isRequired: true }),
    { pair: [moment("starts_at"), moment("ends_at")] },
    check("level", ["info", "warning"]),
    check("for_visitors", [false, true]),
  ],
  t,
);

interface EditOptions {
  /** Null for a new one. */
  view: AnnouncementView | null;
  onClose(): void;
}

export function EditAnnouncement({ view, onClose }: EditOptions) {
  const words = t();
  const forming = useForm(announcementForm, view);
  const { title, text: said, level } = forming.draft;
  const save = useAction(async () => {
    const saved = view
      ? await send("PATCH /api/announcement/{id}", { id: view.id, body: forming.changes() })
      : await send("POST /api/announcement", { body: forming.body() });
    refresh("/api/announcement");
    showToast(words.wasSaved(saved.title));
    onClose();
  });
  return (
    <FormDialog
      title={view?.title ?? words.makeTitle}
      submit={view ? words.save : words.make}
      action={save}
      onClose={onClose}
    >
      <FormFields forming={forming} error={save.error} />
      {(title !== "" || said !== "") && (
        <div class={level ? "notice warn" : "notice"} role="note" aria-label={words.preview}>
          <div class="wrap">
            <span class="strong">{title}</span> <Told text={String(said ?? "")} />
          </div>
        </div>
      )}
    </FormDialog>
  );
}
