// The thread's side: answers each call with a reply or a fault.
import type { Answer, Call } from "./thread.ts";
import { toStoreError } from "./connection.ts";

declare const self: Worker;

export function serveCalls<Request, Reply>(answer: (request: Request) => Reply): void {
  self.onmessage = (event: MessageEvent<Call<Request>>) => {
    const { number, request } = event.data;
    self.postMessage(attempt(number, () => answer(request)));
  };
}

function attempt<Reply>(number: number, work: () => Reply): Answer<Reply> {
  try {
    return { number, reply: work() };
  } catch (error) {
    const { kind, message } = toStoreError(error);
    return { number, fault: { kind, message } };
  }
}
