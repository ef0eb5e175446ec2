// The thread's side: answers each call with a reply or a fault.
import { toStoreError } from "./store-error.ts";
import type { ThreadReply, Call } from "./thread.ts";

declare const self: Worker;

export function serveCalls<Request, Reply>(answer: (request: Request) => Promise<Reply>): void {
  self.onmessage = (event: MessageEvent<Call<Request>>) => {
    const { number, request } = event.data;
    answer(request).then(
      (reply) => post({ number, reply }),
      (error: unknown) => {
        const { kind, message } = toStoreError(error);
        post({ number, fault: { kind, message } });
      },
    );
  };
  function post(reply: ThreadReply<Reply>): void {
    self.postMessage(reply);
  }
}
