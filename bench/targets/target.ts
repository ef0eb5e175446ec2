// A server that is measured.
import type { TargetName } from "../options.ts";

export interface Target {
  readonly name: TargetName;
  readonly pid: number;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}
