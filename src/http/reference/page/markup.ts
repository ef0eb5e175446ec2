// HTML as text: nothing gets into it unescaped.

/** Text that is HTML already. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** A template in which every value but markup is escaped. */
export function markup(
  parts: TemplateStringsArray,
  ...values: readonly (string | Markup | readonly Markup[])[]
): Markup {
  const texts = parts.map((part, at) => part + toHtml(values[at] ?? ""));
  return new Markup(texts.join(""));
}

function toHtml(value: string | Markup | readonly Markup[]): string {
  if (typeof value === "string") return Bun.escapeHTML(value);
  return value instanceof Markup ? value.html : value.map(({ html }) => html).join("");
}

/** Words of the reference: text between backticks is code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`]+)`/);
  return markup`${parts.map((part, at) =>
    at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`,
  )}`;
}

/** A piece of code in which the script puts the address that the page was opened by. */
export function listing(text: string): Markup {
  const parts = text.split(shownOrigin).map((part) => markup`${part}`);
  const origin = markup`<span class="origin">${shownOrigin}</span>`;
  return markup`<pre>${parts.flatMap((part, at) => (at === 0 ? [part] : [origin, part]))}</pre>`;
}

export const shownOrigin = "http://127.0.0.1:3000";
