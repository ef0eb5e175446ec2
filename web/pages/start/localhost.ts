// Browsers offer passkeys at the name localhost, and not at this machine's number.

/** The same page at localhost; null where the page is not at a number of this machine. */
export function localhostAddress(href: string): string | null {
  const url = new URL(href);
  if (url.protocol !== "http:" || !/^(?:127\.[\d.]+|\[::1\])$/.test(url.hostname)) return null;
  url.hostname = "localhost";
  return url.href;
}
