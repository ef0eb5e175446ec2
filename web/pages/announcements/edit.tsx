// Writing an announcement, with what it will look like.
import { useState } from "preact/hooks";
import type { AnnouncementView } from "../../../src/admin/contract.ts";
import { readMoment, writeMoment } from "../../core/amounts.ts";
import { call, refresh, useAction } from "../../core/api.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { faultOf, TextArea, TextField } from "../../kit/field.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

interface EditOptions {
  /** Null for a new one. */
  view: AnnouncementView | null;
  onClose(): void;
}

const momentOf = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? "" : writeMoment(seconds);

export function EditAnnouncement({ view, onClose }: EditOptions) {
  const words = t();
  const [title, setTitle] = useState(view?.title ?? "");
  const [text, setText] = useState(view?.text ?? "");
  const [from, setFrom] = useState(momentOf(view?.starts_at));
  const [to, setTo] = useState(momentOf(view?.ends_at));
  const save = useAction(async () => {
    const period = {
      starts_at: from === "" ? null : readMoment(from),
      ends_at: to === "" ? null : readMoment(to),
    };
    const body = { title: title.trim(), text, ...period };
    if (view) await call("PATCH", `/api/announcement/${encodeURIComponent(view.id)}`, body);
    else await call("POST", "/api/announcement", body);
    refresh("/api/announcement");
    showToast(words.wasSaved(title));
    onClose();
  });
  return (
    <FormDialog
      title={view?.title ?? words.makeTitle}
      submit={view ? words.save : words.make}
      action={save}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      <TextField
        label={words.title}
        value={title}
        onInput={setTitle}
        fault={faultOf(save.error, "title")}
        isRequired
        hasFocus
      />
      <TextArea
        label={words.text}
        hint={words.textHint}
        value={text}
        onInput={setText}
        fault={faultOf(save.error, "text")}
      />
      <div class="pair">
        <TextField
          label={words.from}
          hint={words.fromHint}
          type="datetime-local"
          value={from}
          onInput={setFrom}
          fault={faultOf(save.error, "starts_at")}
        />
        <TextField
          label={words.to}
          hint={words.toHint}
          type="datetime-local"
          value={to}
          onInput={setTo}
          fault={faultOf(save.error, "ends_at")}
        />
      </div>
      {(title !== "" || text !== "") && (
        <div class="notice" role="note" aria-label={words.preview}>
          <span class="wrap">
            <span class="strong">{title}</span> {text}
          </span>
        </div>
      )}
    </FormDialog>
  );
}
