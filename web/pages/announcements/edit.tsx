// Writing an announcement, with what it will look like.
import { useState } from "preact/hooks";
import type { AnnouncementView } from "../../../src/admin/contract.ts";
import { readMoment, writeMoment } from "../../core/amounts.ts";
import { call, refresh, useAction } from "../../core/api.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { Check, faultOf, TextArea, TextField } from "../../kit/field.tsx";
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
  const [isWarning, setWarning] = useState(view?.level === "warning");
  const [isOpen, setOpen] = useState(view?.for_visitors ?? false);
  const save = useAction(async () => {
    const body = {
      title: title.trim(),
      text,
      level: isWarning ? "warning" : "info",
      for_visitors: isOpen,
      ...(from !== "" && { starts_at: readMoment(from) }),
      ...(to !== "" && { ends_at: readMoment(to) }),
    };
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
      <Check label={words.isWarning} isOn={isWarning} onChange={setWarning} />
      <Check label={words.forVisitors} isOn={isOpen} onChange={setOpen} />
      {(title !== "" || text !== "") && (
        <div class={isWarning ? "notice warn" : "notice"} role="note" aria-label={words.preview}>
          <span class="wrap">
            <span class="strong">{title}</span> {text}
          </span>
        </div>
      )}
    </FormDialog>
  );
}
