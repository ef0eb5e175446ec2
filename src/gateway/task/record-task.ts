// Makes the record of a task's end, which is written with its money, on the day it ends: only then
// is known what it cost.
import type { ChannelCost } from "../../config/price-parts.ts";
import type { KeyId } from "../../core/ids.ts";
import type { Micros } from "../../core/money.ts";
import { mediaCost } from "../../quota/media-cost.ts";
import { describe, type Log } from "../../core/log.ts";
import type { Channels } from "../../distribution/channels.ts";
import { readKeyNames } from "../../identity/queries.ts";
import type {
  ChannelMetrics,
  GatewayMetrics,
  ModelMetrics,
} from "../../observe/gateway-metrics.ts";
import type { Tracer } from "../../observe/otlp/tracer.ts";
import { toRecord } from "../../observe/queries.ts";
import {
  toUsageRecord,
  writeFailedChannels,
  type UsageRecord,
  type UsageRow,
} from "../../observe/usage-row.ts";
import type { Database } from "../../store/database.ts";
import type { RecordTask, Settlement } from "../../tasks/book-needs.ts";
import type { Task, TaskCounts } from "../../tasks/task.ts";

interface TaskRecorderNeeds {
  metrics: Pick<GatewayMetrics, "spentMicros" | "tasksEnded"> & {
    model(name: string): Pick<ModelMetrics, "spentMicros">;
    channel(name: string): Pick<ChannelMetrics, "spentMicros">;
  };
  channels: Channels;
  database: Database;
  log: Log;
  /** Null where nothing is traced. */
  tracer: Pick<Tracer, "taskEnded"> | null;
  /** Told of each row. */
  recorded(row: UsageRow): void;
}

/** The status a client is told of a task that failed. */
const failedStatus = 500;

export class TaskRecorder {
  readonly #needs: TaskRecorderNeeds;

  constructor(needs: TaskRecorderNeeds) {
    this.#needs = needs;
  }

  /** Looks up what the record needs; the rest is made of it in the step that settles the task. */
  readonly prepare = async ({ keyId }: Task): Promise<RecordTask> => {
    const keyName = await this.#nameOf(keyId);
    return (task, settlement) => {
      const row = this.#toRow(task, settlement, keyName);
      this.#count(row);
      this.#needs.recorded(row);
      this.#needs.tracer?.taskEnded(task, row);
      return toRecord(row);
    };
  };

  #count({ model, channel_name, route, outcome, micros }: UsageRow): void {
    const { metrics } = this.#needs;
    metrics.spentMicros.add(micros);
    metrics.model(model).spentMicros.add(micros);
    if (channel_name !== null) metrics.channel(channel_name).spentMicros.add(micros);
    metrics.tasksEnded.with(route, outcome).add();
  }

  #toRow(task: Task, settlement: Settlement, keyName: string): UsageRecord {
    const { micros, counts, atMs, failedChannels, trail } = settlement;
    const { id, createdAtMs, channelId } = task;
    const isDone = task.state === "completed";
    const channel = this.#needs.channels.find(channelId);
    return toUsageRecord({
      id,
      kind: "task",
      at_ms: atMs,
      account_id: task.accountId,
      key_id: task.keyId,
      key_name: keyName,
      group_name: task.group,
      route: task.kind,
      model: task.model,
      channel_id: channelId,
      channel_name: channel?.settings.name ?? null,
      status: isDone ? 200 : failedStatus,
      outcome: isDone ? "ok" : "upstream_error",
      input_tokens: counts.inputTokens ?? 0,
      output_tokens: counts.outputTokens ?? 0,
      images: counts.images ?? 0,
      media_ms: Math.round((counts.seconds ?? 0) * 1000),
      micros,
      cost_micros: isDone && channel ? costOf(task, channel.costAt(createdAtMs), counts) : null,
      latency_ms: atMs - createdAtMs,
      attempts: failedChannels.length + (isDone || !failedChannels.includes(channelId) ? 1 : 0),
      error_code: task.error?.code ?? null,
      task_id: id,
      label: task.label,
      failed_attempts: failedChannels.length,
      failed_channels: writeFailedChannels(failedChannels),
      trail,
    });
  }

  /** A name that cannot be read is no reason to leave out what was charged. */
  async #nameOf(keyId: KeyId): Promise<string> {
    const { database, log } = this.#needs;
    try {
      return (await readKeyNames(database, [keyId])).get(keyId) ?? "";
    } catch (error) {
      log.warn("the key of a task cannot be read", { key: keyId, error: describe(error) });
      return "";
    }
  }
}

function costOf({ price, model }: Task, says: ChannelCost, counts: TaskCounts): Micros | null {
  const { inputTokens, outputTokens, ...made } = counts;
  const isCounted = inputTokens !== undefined && outputTokens !== undefined;
  const tokens = isCounted ? { inputTokens, outputTokens } : null;
  return mediaCost({ price, says, names: [model], came: { ...made, tokens, most: null } });
}
