// The page that shows the document to people. It loads nothing from elsewhere, and what it may do
// at all is what stands in it.

export interface DocsPage {
  html: string;
  headers: Record<string, string>;
}

export async function readDocsPage(): Promise<DocsPage> {
  const html = await Bun.file(new URL("./docs.html", import.meta.url)).text();
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(html, "script")}'`,
    `style-src '${digestOf(html, "style")}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html, headers: { "content-security-policy": policy } };
}

/** By which a browser knows the one script and the one style that the page may have. */
function digestOf(html: string, element: "script" | "style"): string {
  const [, inside = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
  return `sha256-${new Bun.CryptoHasher("sha256").update(inside).digest("base64")}`;
}
