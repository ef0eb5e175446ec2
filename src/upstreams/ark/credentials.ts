// Parts of an Ark key: a bearer for the tasks and, behind a space, the pair that signs calls to the
// registry. The registry lies on the control plane, whose address follows from the tasks'.

/** Operators paste the address of the tasks with and without it. */
export const apiVersion = /(?<!\/)\/api\/v3$/;

interface Credentials {
  bearer: string;
  /** The pair, written `access:secret`; null where the key has none. */
  pair: string | null;
}

export function readCredentials(key: string): Credentials {
  const [bearer = "", pair = ""] = key.split(" ");
  return { bearer, pair: /^[^:]+:.+$/.test(pair) ? pair : null };
}

/** Hosts other than the vendor's own have the registry in a folder beside the tasks. */
export function registryUrl(baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl);
  const [, region = "", vendor = ""] = vendorHost.exec(hostname) ?? [];
  if (vendor === "volces") return `${protocol}//ark.${region}.volcengineapi.com`;
  if (vendor === "bytepluses") return `${protocol}//ark.${numbered(region)}.byteplusapi.com`;
  return `${baseUrl.replace(/\/$/, "").replace(apiVersion, "")}/registry`;
}

const vendorHost = /^ark\.([a-z0-9-]+)\.(volces|bytepluses)\.com$/;

/** The tasks leave out the number of a region's first site. */
function numbered(region: string): string {
  return /-\d+$/.test(region) ? region : `${region}-1`;
}
