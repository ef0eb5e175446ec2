// Addresses below a project, and how its credential goes along: a token that is exchanged for it,
// or an API key in a header, never in the address, which proxies and logs keep.
import { bareName, encodedPath } from "../kit/google/path.ts";
import { lowered } from "../kit/headers.ts";
import { googlePass } from "../kit/pass/google.ts";
import type { Address, Target } from "../upstream.ts";
import { projectPlaceOf } from "./place.ts";

interface Way {
  version: "v1" | "v1beta1";
  /** Not yet percent-encoded. */
  path: string;
  verb?: string;
  wireHeaders?: Readonly<Record<string, string>>;
}

/** Null where the name leads elsewhere, or where there is no project to go below. */
export function addressAt(target: Target, way: Way): Address | null {
  const place = projectPlaceOf(target);
  if (place === null) return null;
  const { root, project, location } = place;
  const pass = googlePass(target) ?? undefined;
  const isExpress = project === null && pass === undefined && way.path.startsWith(googleModels);
  if (project === null && !isExpress) return null;
  const above = isExpress ? "" : `projects/${project}/locations/${location}/`;
  const path = encodedPath(above + way.path);
  if (path === null) return null;
  return {
    url: `${root}/${way.version}/${path}${way.verb ?? ""}`,
    headers: {
      ...lowered(way.wireHeaders ?? {}),
      ...lowered(target.headers),
      ...(!pass && { "x-goog-api-key": target.key }),
    },
    pass,
  };
}

const googleModels = "publishers/google/models/";

interface ModelWay {
  verb: string;
  wireHeaders?: Readonly<Record<string, string>>;
}

/** A model of Google's own; a tuned one is named by its endpoint, another's by its publisher. */
export function modelAddress(target: Target, model: string, way: ModelWay): Address | null {
  const name = bareName(model);
  const isPath = /^(?:publishers|endpoints)\//.test(name);
  const path = isPath ? name : `${googleModels}${name}`;
  return addressAt(target, { version: "v1beta1", path, ...way });
}
