// The refusal of a task's result that is not there: a client goes on asking while the task runs,
// and must stop when it has failed.
import { GatewayError } from "../../core/errors.ts";
import { isTerminal, type TaskState } from "../../tasks/task.ts";

export function missingResult(state: TaskState): GatewayError {
  if (!isTerminal(state)) return new GatewayError("task_not_finished");
  const message = "The task did not succeed, so it has no result. Its error says why.";
  return new GatewayError("not_found", { message });
}
