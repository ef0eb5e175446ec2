// Registers a file of one's own: it is sent to the gateway, which shows how far that is.
import { useState } from "preact/hooks";
import type { OwnAssetView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { pathOf } from "../../core/control.ts";
import { bytes, percent } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { upload } from "../../core/upload.ts";
import { Meter } from "../../kit/badge.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { faultOf, Field, TextField } from "../../kit/field.tsx";
import { FromChoice, type From } from "./from.tsx";
import { t } from "./words.ts";

const kinds = ["image", "video", "audio"] as const;

interface FileOptions {
  onFrom(from: From): void;
  onClose(): void;
}

export function AddFile({ onFrom, onClose }: FileOptions) {
  const words = t();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [part, setPart] = useState<number | null>(null);
  const [stop] = useState(() => new AbortController());
  const send = useAction(async () => {
    if (!file) return;
    const kind = kinds.find((one) => file.type.startsWith(`${one}/`)) ?? "image";
    const query = { kind, name: name.trim() || file.name.slice(0, 64) };
    const path = pathOf("POST /api/asset/upload", { query });
    setPart(0);
    try {
      const options = { onProgress: setPart, signal: stop.signal };
      const { id } = await upload<OwnAssetView>(path, file, options);
      refresh("/api/asset");
      onClose();
      openId(id);
    } finally {
      setPart(null);
    }
  });
  const close = () => {
    stop.abort();
    onClose();
  };
  return (
    <FormDialog
      title={words.addTitle}
      submit={words.upload}
      action={send}
      isDisabled={file === null}
      onClose={close}
    >
      <FromChoice value="file" onChange={onFrom} />
      <Field label={words.file} hint={words.fileHint} fault={faultOf(send.error, "file")}>
        {(wiring) => (
          <input
            {...wiring}
            class="input"
            type="file"
            accept="image/*,video/*,audio/*"
            onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
        )}
      </Field>
      <TextField
        label={words.name}
        hint={words.hints.name}
        value={name}
        onInput={setName}
        fault={faultOf(send.error, "name")}
        maxLength={64}
      />
      {part !== null && file && (
        <div class="stack" role="status">
          <Meter part={part} label={words.sent(percent(part, 1), bytes(file.size))} isProgress />
          <span class="faint number">{words.sent(percent(part, 1), bytes(file.size))}</span>
        </div>
      )}
    </FormDialog>
  );
}
