// Numbers in large, and facts in pairs.
import type { ComponentChildren } from "preact";

export function Tiles({ children }: { children: ComponentChildren }) {
  return <div class="card tiles">{children}</div>;
}

interface TileOptions {
  name: string;
  /** Null while it is awaited. */
  value: string | null;
  /** The exact number, where the value is rounded. */
  title?: string | undefined;
  note?: ComponentChildren;
  /** A sparkline, beside the value. */
  children?: ComponentChildren;
}

export function Tile({ name, value, title, note, children }: TileOptions) {
  return (
    <div class="tile">
      <span class="name">{name}</span>
      <span class="value" title={title}>
        {value ?? (
          <span class="skeleton" style={{ width: "96px", height: "22px", margin: "5px 0" }} />
        )}
      </span>
      {children}
      <span class="note">{note}</span>
    </div>
  );
}

/** Pairs of a name and what there is to say; null and undefined leave a pair out. */
export function Facts({
  pairs,
}: {
  pairs: readonly (readonly [string, ComponentChildren] | null | false)[];
}) {
  return (
    <dl class="facts">
      {pairs.map((pair) => {
        if (!pair || pair[1] === null || pair[1] === undefined) return null;
        return [<dt key={pair[0]}>{pair[0]}</dt>, <dd key={`${pair[0]}:`}>{pair[1]}</dd>];
      })}
    </dl>
  );
}

interface CardOptions {
  title?: string;
  /** Beside the title. */
  note?: ComponentChildren;
  /** At the end of the head. */
  tools?: ComponentChildren;
  /** Without sides: for tables. */
  isFlush?: boolean;
  children: ComponentChildren;
}

export function Card({ title, note, tools, isFlush = false, children }: CardOptions) {
  // Buttons that are not for this person are no tools.
  const hasTools = tools !== undefined && tools !== false;
  const hasHead = title !== undefined || hasTools;
  return (
    <section class="card" aria-label={title}>
      {hasHead && (
        <header>
          {title !== undefined && <h2>{title}</h2>}
          {note !== undefined && <span class="faint">{note}</span>}
          {hasTools && <span class="push row wraps">{tools}</span>}
        </header>
      )}
      {isFlush ? children : <div class="inside stack">{children}</div>}
    </section>
  );
}
