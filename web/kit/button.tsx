// Buttons. One that shows an icon alone has its label for those who cannot see it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";
import { t } from "./words.ts";

export interface ButtonOptions {
  kind?: "main" | "plain" | "danger" | undefined;
  icon?: IconName | undefined;
  /** Label of a button without words. */
  label?: string | undefined;
  isSmall?: boolean | undefined;
  isBusy?: boolean | undefined;
  isDisabled?: boolean | undefined;
  type?: "button" | "submit";
  /** Id of the form that it submits from outside of it. */
  form?: string | undefined;
  isPressed?: boolean | undefined;
  onClick?: ((event: MouseEvent) => void) | undefined;
  children?: ComponentChildren;
}

export function Button(options: ButtonOptions) {
  const { kind, icon, label, isSmall, isBusy, isDisabled, children } = options;
  const isBare = children === undefined;
  return (
    <button
      type={options.type ?? "button"}
      form={options.form}
      class={classOf({ kind, isSmall, isBare })}
      disabled={isDisabled || isBusy}
      aria-busy={isBusy}
      aria-label={label}
      aria-pressed={options.isPressed}
      title={isBare ? label : undefined}
      onClick={options.onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface LinkButtonOptions extends Pick<ButtonOptions, "kind" | "icon" | "isSmall" | "label"> {
  href: string;
  /** A file to keep, by this name. */
  download?: string;
  children?: ComponentChildren;
}

export function LinkButton({
  href,
  download,
  kind,
  icon,
  isSmall,
  label,
  children,
}: LinkButtonOptions) {
  const isBare = children === undefined;
  const looks = classOf({ kind, isSmall, isBare });
  return (
    <a
      class={looks}
      href={href}
      download={download}
      aria-label={label}
      title={isBare ? label : undefined}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

function classOf({
  kind,
  isSmall,
  isBare,
}: {
  kind: ButtonOptions["kind"];
  isSmall?: boolean | undefined;
  isBare: boolean;
}) {
  return `button${kind ? ` ${kind}` : ""}${isSmall ? " small" : ""}${isBare ? " icon" : ""}`;
}

interface CopyOptions {
  text: string;
  /** Name of the copied text; also the name of a button without words. */
  label?: string;
  hasWords?: boolean;
  kind?: "plain" | "main";
}

const shownMs = 1400;

export function CopyButton({
  text,
  label = t().copy,
  hasWords = false,
  kind = "plain",
}: CopyOptions) {
  const [isDone, setDone] = useState(false);
  async function copy(event: MouseEvent): Promise<void> {
    event.stopPropagation();
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), shownMs);
  }
  const name = isDone ? t().copied : label;
  return (
    <Button
      kind={kind === "plain" ? "plain" : "main"}
      isSmall={!hasWords || kind === "plain"}
      icon={isDone ? "check" : "copy"}
      label={name}
      onClick={(event) => void copy(event)}
    >
      {hasWords ? name : undefined}
    </Button>
  );
}
