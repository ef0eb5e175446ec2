// The form of an import: the program, its database, and what opens it.
import { useState } from "preact/hooks";
import type { ImportFileView, ImportRunsView } from "../../../../src/admin/contract.ts";
import { refresh, useAction, type ApiError } from "../../../core/api.ts";
import { pathOf, send } from "../../../core/control.ts";
import { bytes, percent } from "../../../core/format.ts";
import { upload } from "../../../core/upload.ts";
import { FormDialog } from "../../../kit/dialog.tsx";
import {
  Check,
  faultOf,
  Field,
  PasswordField,
  Select,
  TextArea,
  TextField,
  wordsOf,
} from "../../../kit/field.tsx";
import { readLines } from "../../../kit/pair-lines.ts";
import { t } from "../words.ts";
import { importPath, keepQuestion, programs, type Asked } from "./asked.ts";

const addressExample = "postgres://user:password@host/database";
const noFields = { address: "", source: "", salt: "", variables: "", isPrivate: false };
const sourceParams: readonly string[] = ["address", "file", "name"];
type Fields = typeof noFields;
type Kind = ImportFileView["kind"];

interface FormOptions {
  view: ImportRunsView;
  onClose(): void;
}

export function AskForm({ view, onClose }: FormOptions) {
  const words = t().imports;
  const [program, setProgram] = useState<Asked["program"]>("new-api");
  const [fields, setFields] = useState<Fields>(noFields);
  const [file, setFile] = useState<File | null>(null);
  const [part, setPart] = useState<number | null>(null);
  const [stop] = useState(() => new AbortController());
  const kind: Kind = program === "litellm" ? "config" : "database";
  const planning = useAction(async () => {
    if (file) await sendFile(kind, file, { onProgress: setPart, signal: stop.signal });
    setPart(null);
    const body = toBody(program, fields);
    keepQuestion({ asked: body, work: await send("POST /api/import/run", { body }) });
    refresh(importPath);
    onClose();
  });
  const close = () => {
    stop.abort();
    onClose();
  };
  const fill = (more: Partial<Fields>) => setFields({ ...fields, ...more });
  const { error } = planning;
  /** Forgets what was said of the source before: it is another one. */
  const anew =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      if (error?.param && sourceParams.includes(error.param)) planning.reset();
    };
  return (
    <FormDialog title={words.title} submit={words.plan} action={planning} onClose={close}>
      <Select<Asked["program"]>
        label={words.program}
        value={program}
        options={wordsOf(programs)}
        onChange={anew(setProgram)}
      />
      <FileField {...{ kind, view, part, error, onFile: anew(setFile) }} />
      <PasswordField
        label={words.address}
        hint={words.addressHint}
        value={fields.address}
        onInput={anew((address) => fill({ address }))}
        fault={faultOf(error, "address")}
        placeholder={addressExample}
        isMono
      />
      {program === "litellm" && <LiteLlm {...{ fields, fill }} />}
      <TextField
        label={words.source}
        hint={words.sourceHint}
        value={fields.source}
        onInput={(source) => fill({ source })}
        fault={faultOf(error, "source")}
        placeholder={program}
        maxLength={32}
      />
      <Check
        label={words.allowPrivate}
        isOn={fields.isPrivate}
        onChange={(isPrivate) => fill({ isPrivate })}
      />
    </FormDialog>
  );
}

interface FileOptions {
  kind: Kind;
  view: ImportRunsView;
  /** Part of it that was sent, while it is. */
  part: number | null;
  error: ApiError | null;
  onFile(file: File | null): void;
}

function FileField({ kind, view, part, error, onFile }: FileOptions) {
  const words = t().imports;
  const there = view.files.find((file) => file.kind === kind);
  const hint =
    kind === "config" ? words.configHint : words.databaseHint(bytes(view.upload_bytes_max));
  return (
    <>
      <Field
        label={words.files[kind]}
        hint={there ? words.isUploaded(there.name) : hint}
        fault={faultOf(error, "file", "name")}
      >
        {(wiring) => (
          <input
            {...wiring}
            class="input"
            type="file"
            onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
          />
        )}
      </Field>
      {part !== null && (
        <span class="faint number" role="status">
          {percent(part, 1)}
        </span>
      )}
    </>
  );
}

function LiteLlm({ fields, fill }: { fields: Fields; fill(more: Partial<Fields>): void }) {
  const words = t().imports;
  return (
    <>
      <PasswordField
        label={words.salt}
        hint={words.saltHint}
        value={fields.salt}
        onInput={(salt) => fill({ salt })}
      />
      <TextArea
        label={words.variables}
        hint={words.variablesHint}
        value={fields.variables}
        onInput={(variables) => fill({ variables })}
        isMono
        isMasked
      />
    </>
  );
}

function toBody(program: Asked["program"], fields: Fields): Asked {
  const { address, source, salt, variables, isPrivate } = fields;
  const isLiteLlm = program === "litellm";
  return {
    program,
    dry_run: true,
    ...(address !== "" && { address }),
    ...(source !== "" && { source }),
    ...(isLiteLlm && salt !== "" && { salt }),
    ...(isLiteLlm && variables !== "" && { variables: readLines("=")(variables) }),
    ...(isPrivate && { allow_private: true }),
  };
}

async function sendFile(
  kind: Kind,
  file: File,
  options: { onProgress(part: number): void; signal: AbortSignal },
): Promise<void> {
  const path = pathOf("POST /api/import/run/upload", { query: { kind, name: file.name } });
  await upload<ImportFileView>(path, file, options);
}
