// What `GET /api/status` tells admins of the process, besides what everyone is told.
import type { StatusView } from "../../../src/admin/contract.ts";

export interface ProcessView {
  memory: { used_bytes: number; most_bytes: number };
  streams: { open: number; most: number; read_on: number };
  requests_open: number;
  loop_lag_ms: number;
  disk: { free_bytes: number; size_bytes: number };
  log: { rows: number; dropped: number };
}

export type ProcessStatus = StatusView & { process?: ProcessView };
