// Parts of the account's cards.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { PasswordField } from "../../kit/field.tsx";
import { t } from "./words.ts";

/** One thing with what is known of it, and a button. */
export function Line({
  title,
  note,
  children,
}: {
  title: ComponentChildren;
  note?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <li>
      <span class="what">
        <span class="cut">{title}</span>
        {note !== undefined && <span class="faint cut">{note}</span>}
      </span>
      {children}
    </li>
  );
}

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
