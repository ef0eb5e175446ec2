// A second look before what cannot be taken back: the password, or a code.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { FormDialog } from "../dialog.tsx";
import { PasswordField } from "../field.tsx";
import { t } from "./words.ts";

export type Proof = { password: string } | { code: string };

interface ProveOptions {
  title: string;
  /** Consequence of the act, where it cannot be undone. */
  effect?: string;
  isDanger?: boolean;
  run(proof: Proof): Promise<void>;
  /** After it was done, and where nothing else is said also when it is given up. */
  onClose(): void;
  onCancel?: () => void;
}

/** Asks for the password, or for a code: six digits are taken for one. */
export function Prove({
  title,
  effect,
  isDanger = false,
  run,
  onClose,
  onCancel = onClose,
}: ProveOptions) {
  const [text, setText] = useState("");
  const act = useAction(async () => {
    const shown = text.trim();
    await run(/^\d{6}$/.test(shown) ? { code: shown } : { password: text });
    onClose();
  });
  return (
    <FormDialog title={title} submit={t().goOn} action={act} isDanger={isDanger} onClose={onCancel}>
      {effect !== undefined && <p class="quiet wrap">{effect}</p>}
      <PasswordField
        label={t().prove}
        hint={t().proveText}
        value={text}
        onInput={setText}
        autoComplete="current-password"
        isRequired
        hasFocus
      />
    </FormDialog>
  );
}
