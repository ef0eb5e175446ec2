// Sends a backup from this machine to the gateway's folder of backups.
import { useState } from "preact/hooks";
import type { BackupView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { pathOf } from "../../core/control.ts";
import { bytes, percent } from "../../core/format.ts";
import { upload } from "../../core/upload.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { faultOf, Field } from "../../kit/field.tsx";
import { t } from "./words.ts";

export function Upload({ bytesMax, onClose }: { bytesMax: number; onClose(): void }) {
  const words = t();
  const [file, setFile] = useState<File | null>(null);
  const [part, setPart] = useState<number | null>(null);
  const [stop] = useState(() => new AbortController());
  const sending = useAction(async () => {
    if (!file) return;
    const target = pathOf("POST /api/backup/upload", { query: { name: file.name } });
    setPart(0);
    try {
      const options = { onProgress: setPart, signal: stop.signal };
      await upload<BackupView>(target, file, options);
      refresh("/api/backup");
      onClose();
    } finally {
      setPart(null);
    }
  });
  const close = () => {
    stop.abort();
    onClose();
  };
  const fault = faultOf(sending.error, "name") ?? faultOf(sending.error, "file");
  const label = file && part !== null ? percent(part, 1) : "";
  return (
    <FormDialog
      title={words.upload}
      submit={words.upload}
      action={sending}
      isDisabled={file === null}
      onClose={close}
    >
      <Field label={words.archive} hint={words.archiveText(bytes(bytesMax))} fault={fault}>
        {(wiring) => (
          <input
            {...wiring}
            class="input"
            type="file"
            accept=".gz,.tgz,application/gzip"
            onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
        )}
      </Field>
      {label !== "" && (
        <span class="faint number" role="status">
          {label}
        </span>
      )}
    </FormDialog>
  );
}
