// The place of a project's models: the host follows the location, and what the channel leaves out
// is read from its address or from its key.
import { isGoogleLocation } from "../../core/pass/cloud-hosts.ts";
import { credentialParts } from "../../core/pass/credential.ts";
import type { Target } from "../upstream.ts";

interface ProjectPlace {
  /** Scheme, host and whatever stands before the version. */
  root: string;
  /** Null for a key of express mode, which says by itself who pays. */
  project: string | null;
  location: string;
}

const everywhere = "global";
/** Groups of regions, whose data stays within them, have hosts of another form. */
const groups = new Set(["us", "eu"]);
const regionalHost = /^([a-z0-9-]+)-aiplatform\.googleapis\.com$/;
const groupHost = /^aiplatform\.([a-z]+)\.rep\.googleapis\.com$/;
const globalHost = "aiplatform.googleapis.com";
/** Operators paste an address with its version, and with the project behind it. */
const tail = /\/(?:v1(?:beta1)?(?:\/projects\/([^/]+)\/locations\/([^/]+))?.*)?$/;

/** Null where the location could be no part of a host's name. */
export function projectPlaceOf({ baseUrl, key, vendor = {} }: Target): ProjectPlace | null {
  const { hostname, pathname, origin } = new URL(baseUrl);
  const [, project, location] = tail.exec(pathname) ?? [];
  const ownLocation = locationOfHost(hostname);
  const chosen = vendor.location ?? location ?? ownLocation ?? everywhere;
  if (!isGoogleLocation(chosen)) return null;
  const isOwnHost = ownLocation !== null;
  return {
    root: isOwnHost ? `https://${hostOf(chosen)}` : origin + pathname.replace(tail, ""),
    project: vendor.project ?? project ?? projectIn(key),
    location: chosen,
  };
}

/** Null where the host is none of the vendor's own, such as a proxy's. */
function locationOfHost(host: string): string | null {
  if (host === globalHost) return everywhere;
  return regionalHost.exec(host)?.[1] ?? groupHost.exec(host)?.[1] ?? null;
}

function hostOf(location: string): string {
  if (location === everywhere) return globalHost;
  return groups.has(location)
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-${globalHost}`;
}

function projectIn(key: string): string | null {
  const project = credentialParts(key)?.["project_id"];
  return typeof project === "string" && project !== "" ? project : null;
}
