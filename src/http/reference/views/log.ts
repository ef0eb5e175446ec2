// The usage log as the control plane shows it.
import type { ListedLog, LogView } from "../../../admin/contract.ts";
import { Type } from "../../../core/schema.ts";
import { orNull, shapeOf, text, whole, word } from "../operation.ts";
import { listFields, money } from "./basics.ts";

const logRow = shapeOf<LogView>()(
  Type.Object({
    time: Type.Number({ description: "Unix seconds, with a fraction." }),
    request_id: text(),
    kind: word("request", "task"),
    task_id: orNull(text()),
    key_id: text(),
    key_name: text(),
    group: text(),
    route: text(),
    model: text(),
    status: whole(),
    outcome: text(),
    stream: Type.Boolean(),
    input_tokens: whole(),
    output_tokens: whole(),
    cache_read_tokens: whole(),
    cache_write_tokens: whole(),
    reasoning_tokens: whole(),
    images: Type.Number(),
    seconds: Type.Number(),
    estimated: Type.Boolean(),
    micros: money,
    latency_ms: Type.Number(),
    first_byte_ms: orNull(Type.Number()),
    ip: text(),
    error_code: orNull(text()),
    account: Type.Optional(text("For admins, as are the rest.")),
    channel: Type.Optional(orNull(text())),
    channel_id: Type.Optional(orNull(text())),
    attempts: Type.Optional(whole()),
  }),
);

export const logList = shapeOf<ListedLog>()(
  Type.Object({
    ...listFields(logRow),
    total_is_exact: Type.Boolean(),
    next: orNull(text("The cursor of the next page.")),
  }),
);
