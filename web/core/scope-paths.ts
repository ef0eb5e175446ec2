// Addresses of the control API that may be asked for in the scope of an organisation.

const scopedPaths = new RegExp(
  "^/api/(?:(?:usage|log|series|live|ledger|statement|task|webhook|group)/self(?:\\.csv)?|" +
    "log/self/[^/]+(?:/content)?|(?:task|webhook)/self/.+|webhook/test|webhook-secret|" +
    "token|token/(?!session$).+|access-token(?:/[^/]+)?|invitation(?:/[^/]+)?|model|" +
    "capture(?:/[^/]+)?|health/models|user/self(?:/balance)?|budget(?:/.+)?|redemption/redeem|" +
    "asset(?:/(?!get$|createMedia$)[^/]+)?)$",
);

export function takesScope(path: string): boolean {
  return scopedPaths.test(path);
}
