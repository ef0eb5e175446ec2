// Makes the record of a task's end, which is written with its money, on the day it ends: only then
// is known what it cost.
import type { KeyId } from "../../core/ids.ts";
import { describe, type Log } from "../../core/log.ts";
import type { Channels } from "../../distribution/channels.ts";
import { readKeyNames } from "../../identity/queries.ts";
import type {
  ChannelMetrics,
  GatewayMetrics,
  ModelMetrics,
} from "../../observe/gateway-metrics.ts";
import { noCandidates } from "../../observe/candidate-note.ts";
import type { Tracer } from "../../observe/otlp/tracer.ts";
import { toRecord } from "../../observe/queries.ts";
import type { UsageRow } from "../../observe/usage-row.ts";
import type { Database } from "../../store/database.ts";
import type { RecordTask, Settlement } from "../../tasks/book-needs.ts";
import type { Task } from "../../tasks/task.ts";

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

/** As a client is told of a task that failed. */
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

  #count({ model, channelName, route, outcome, micros }: UsageRow): void {
    const { metrics } = this.#needs;
    metrics.spentMicros.add(micros);
    metrics.model(model).spentMicros.add(micros);
    if (channelName !== null) metrics.channel(channelName).spentMicros.add(micros);
    metrics.tasksEnded.with(route, outcome).add();
  }

  #toRow(task: Task, settlement: Settlement, keyName: string) {
    const { micros, counts, atMs, failedChannels, trail } = settlement;
    const { id, createdAtMs, channelId } = task;
    const isDone = task.state === "completed";
    const row: UsageRow = {
      id,
      kind: "task",
      atMs,
      accountId: task.accountId,
      keyId: task.keyId,
      keyName,
      group: task.group,
      route: task.kind,
      model: task.model,
      channelId,
      channelName: this.#needs.channels.find(channelId)?.settings.name ?? null,
      status: isDone ? 200 : failedStatus,
      outcome: isDone ? "ok" : "upstream_error",
      stream: false,
      inputTokens: counts.inputTokens ?? 0,
      outputTokens: counts.outputTokens ?? 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      images: counts.images ?? 0,
      mediaMs: Math.round((counts.seconds ?? 0) * 1000),
      estimated: false,
      micros,
      latencyMs: atMs - createdAtMs,
      firstByteMs: null,
      attempts: failedChannels.length + (isDone || !failedChannels.includes(channelId) ? 1 : 0),
      ip: "",
      errorCode: task.error?.code ?? null,
      taskId: id,
      failedChannels,
      trail,
      converted: null,
      candidates: noCandidates,
    };
    return row;
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
