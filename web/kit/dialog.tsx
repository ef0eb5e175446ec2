// Dialogs: one with a form in it, one that asks before something is done for good, and one that
// shows a secret once.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Action } from "../core/api.ts";
import { Button } from "./button.tsx";
import { Code } from "./code.tsx";
import { Refusal } from "./failure.tsx";
import { TextField } from "./field.tsx";
import { Overlay } from "./overlay.tsx";
import { common } from "./page-words.ts";
import { t } from "./rest/words.ts";

interface DialogOptions {
  title: string;
  onClose(): void;
  isWide?: boolean;
  isFixed?: boolean;
  /** Buttons; without them there is only the cross. */
  footer?: ComponentChildren;
  children: ComponentChildren;
}

export function Dialog({
  title,
  onClose,
  isWide,
  isFixed = false,
  footer,
  children,
}: DialogOptions) {
  return (
    <Overlay kind={isWide ? "sheet wide" : "sheet"} label={title} {...{ isFixed, onClose }}>
      <header>
        <h2 class="cut">{title}</h2>
        {!isFixed && (
          <span class="push">
            <Button kind="plain" icon="close" label={t().close} onClick={onClose} />
          </span>
        )}
      </header>
      <div class="inside stack">{children}</div>
      {footer && <footer>{footer}</footer>}
    </Overlay>
  );
}

interface FormDialogOptions extends Omit<DialogOptions, "footer" | "isFixed"> {
  /** The verb on the button. */
  submit: string;
  action: Action<void>;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** In place of running the action. */
  onSubmit?(): void;
}

/** Its refusal stands above the buttons unless a field shows it. */
export function FormDialog({
  submit,
  action,
  isDanger,
  isDisabled,
  onSubmit = () => void action.run(),
  children,
  ...dialog
}: FormDialogOptions) {
  const id = useId();
  const send = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  const footer = (
    <>
      <Button onClick={dialog.onClose}>{t().cancel}</Button>
      <Button
        kind={isDanger ? "danger" : "main"}
        type="submit"
        form={id}
        isBusy={action.isBusy}
        isDisabled={isDisabled}
      >
        {submit}
      </Button>
    </>
  );
  return (
    <Dialog {...dialog} footer={footer}>
      <form id={id} class="stack" onSubmit={send}>
        {children}
        <Refusal error={action.error} />
      </form>
    </Dialog>
  );
}

interface ConfirmOptions {
  title: string;
  /** Consequence of the act: "3 keys stop working at once". */
  effect: string;
  submit: string;
  action: Action<void>;
  /** Text that has to be typed first, where it is worth that. */
  typed?: string;
  onClose(): void;
}

export function Confirm({ title, effect, submit, action, typed, onClose }: ConfirmOptions) {
  const [text, setText] = useState("");
  const run = () => void action.run().then((isDone) => isDone && onClose());
  const isLocked = typed !== undefined && text !== typed;
  return (
    <FormDialog
      {...{ title, submit, action, onClose }}
      isDanger
      isDisabled={isLocked}
      onSubmit={run}
    >
      <p class="quiet wrap">{effect}</p>
      {typed !== undefined && (
        <TextField label={t().typeToConfirm(typed)} value={text} onInput={setText} hasFocus />
      )}
    </FormDialog>
  );
}

interface SecretOptions {
  title: string;
  /** Secret that is not shown again; several stand in lines. */
  secret: string;
  onClose(): void;
  /** Directions for its use. */
  children?: ComponentChildren;
}

/** Cannot be closed by a click outside: what is in it is gone afterwards. */
export function SecretDialog({ title, secret, onClose, children }: SecretOptions) {
  return (
    <Dialog
      {...{ title, onClose }}
      isFixed
      isWide
      footer={
        <Button kind="main" onClick={onClose}>
          {t().keptIt}
        </Button>
      }
    >
      <p class="notice warn">{common().once}</p>
      <Code text={secret} wraps />
      {children}
    </Dialog>
  );
}
