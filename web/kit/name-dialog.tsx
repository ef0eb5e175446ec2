// A dialog that asks for a name, of something that the browser keeps.
import { useState } from "preact/hooks";
import { useAction } from "../core/api.ts";
import { FormDialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";

interface NameOptions {
  title: string;
  submit: string;
  label: string;
  hint?: string;
  /** Name that it has so far. */
  name?: string;
  onName(name: string): void | Promise<void>;
  onClose(): void;
}

const lettersMax = 60;

export function NameDialog({ label, hint, onName, onClose, ...options }: NameOptions) {
  const { title, submit, name = "" } = options;
  const [text, setText] = useState(name);
  const action = useAction(async () => {
    await onName(text.trim());
    onClose();
  });
  return (
    <FormDialog {...{ title, submit, action, onClose }} isDisabled={text.trim() === ""}>
      <TextField
        {...{ label, hint }}
        value={text}
        onInput={setText}
        maxLength={lettersMax}
        hasFocus
      />
    </FormDialog>
  );
}
