// Ending of a request, shown alike wherever requests are listed.
import type { LogView } from "../../src/admin/contract.ts";
import { Dot, type Tone } from "./badge.tsx";

const tones: Readonly<Record<string, Tone>> = {
  ok: "good",
  client_abort: "none",
  rejected: "warn",
  upstream_error: "bad",
  gateway_error: "bad",
};

export function toneOf({ outcome }: Pick<LogView, "outcome">): Tone {
  return tones[outcome] ?? "none";
}

export function StatusDot({ row }: { row: Pick<LogView, "outcome" | "status"> }) {
  return (
    <Dot tone={toneOf(row)}>
      <span class="number">{row.status}</span>
    </Dot>
  );
}
