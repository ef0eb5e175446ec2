// videoC 1.5: the suffix of a model fixes the resolution. The vendor's own name has no suffix.
import { modelNames } from "../kit/names.ts";

export const resolutions = ["480p", "720p", "1080p"] as const;
type Resolution = (typeof resolutions)[number];

interface Model {
  /** Null leaves it to the field `resolution`. */
  resolution: Resolution | null;
}

export const models: ReadonlyMap<string, Model> = new Map<string, Model>([
  ...resolutions.map((resolution): [string, Model] => [modelOf(resolution), { resolution }]),
  ["doubao-seedance-1-5-pro-251215", { resolution: null }],
]);

export const names = modelNames(models, /^doubao-/, ({ resolution }) =>
  resolution === null ? resolutions.map(modelOf) : [],
);

export function modelOf(resolution: Resolution): string {
  return `videoC-1-5-pro_${resolution}`;
}
