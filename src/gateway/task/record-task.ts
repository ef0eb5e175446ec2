// Puts the end of a task on the usage log, on the day it ends: only then is known what it cost.
import type { KeyId } from "../../core/ids.ts";
import { describe, type Log } from "../../core/log.ts";
import type { Channels } from "../../distribution/channels.ts";
import { readKeyNames } from "../../identity/queries.ts";
import type { GatewayMetrics } from "../../observe/gateway-metrics.ts";
import type { UsageLog } from "../../observe/usage-log.ts";
import type { Database } from "../../store/database.ts";
import type { Settlement } from "../../tasks/book.ts";
import type { Task } from "../../tasks/task.ts";

interface TaskRecorderNeeds {
  usageLog: Pick<UsageLog, "add">;
  metrics: Pick<GatewayMetrics, "spentMicros">;
  channels: Channels;
  database: Database;
  log: Log;
}

/** As a client is told of a task that failed. */
const failedStatus = 500;

export class TaskRecorder {
  readonly #needs: TaskRecorderNeeds;
  readonly #recording = new Set<Promise<void>>();

  constructor(needs: TaskRecorderNeeds) {
    this.#needs = needs;
  }

  ended(task: Task, settlement: Settlement): void {
    this.#needs.metrics.spentMicros.add(settlement.micros);
    const recorded = this.#record(task, settlement).finally(() => {
      this.#recording.delete(recorded);
    });
    this.#recording.add(recorded);
  }

  /** Resolves when all that has ended is on its way to the log. */
  async settled(): Promise<void> {
    await Promise.all(this.#recording);
  }

  async #record(task: Task, { micros, counts }: Settlement): Promise<void> {
    const { usageLog, channels } = this.#needs;
    const { id, completedAtMs, createdAtMs, channelId } = task;
    const isDone = task.state === "completed";
    const keyName = await this.#nameOf(task.keyId);
    const endedAtMs = completedAtMs ?? createdAtMs;
    usageLog.add({
      id,
      kind: "task",
      atMs: endedAtMs,
      accountId: task.accountId,
      keyId: task.keyId,
      keyName,
      group: task.group,
      route: task.kind,
      model: task.model,
      channelId,
      channelName: channels.find(channelId)?.settings.name ?? null,
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
      latencyMs: endedAtMs - createdAtMs,
      firstByteMs: null,
      attempts: 1,
      ip: "",
      errorCode: task.error?.code ?? null,
      taskId: id,
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
