// Rights of the console in a browser: to run its own scripts and ask this gateway, nothing else.

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const sniffless = { "x-content-type-options": "nosniff", vary: "accept-encoding" };

/** Headers of the page, which names its scripts and styles, so a browser asks for it each time. */
export const pageHeaders = {
  ...sniffless,
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

/** Headers of a file that has its content in its name. */
export const assetHeaders = {
  ...sniffless,
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin",
};
