// Parts of the account's cards.
import type { ComponentChildren } from "preact";

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
