// An import as it is asked for.
import type { AskOf, ControlApi } from "../../../../src/admin/contract.ts";

export type Asked = AskOf<ControlApi["POST /api/import/run"]>["body"];

export const importPath = "/api/import/run";
