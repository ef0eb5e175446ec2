// Notes beside data or in its place: that it is awaited, why it is not there, where it is declared.
import type { Loaded } from "../core/api.ts";
import { Skeleton } from "./empty.tsx";
import { Failure } from "./failure.tsx";
import { common } from "./page-words.ts";

interface WaitingOptions extends Pick<Loaded<unknown>, "data" | "error" | "reload"> {
  lines?: number;
}

/** Nothing once there is something. */
export function Waiting({ data, error, reload, lines = 3 }: WaitingOptions) {
  if (data) return null;
  return error ? <Failure error={error} onRetry={reload} /> : <Skeleton lines={lines} />;
}

/** Entities of the configuration file. */
export function Declared() {
  return (
    <p class="notice">
      <span class="strong">{common().declared}</span> {common().declaredText}
    </p>
  );
}
