// Sends a file and says how far it is, which only the older of the browser's two ways can.
import type { ControlReply } from "../../src/admin/contract.ts";
import { ApiError } from "./api.ts";

/** `onProgress` is told the part that was sent, from 0 to 1. */
export function upload<Data>(
  path: string,
  file: Blob,
  { onProgress, signal }: { onProgress(part: number): void; signal: AbortSignal },
): Promise<Data> {
  const { promise, resolve, reject } = Promise.withResolvers<Data>();
  const request = new XMLHttpRequest();
  const failed = (code: string) => reject(new ApiError({ message: "", code, param: null }, null));
  request.open("POST", path);
  request.setRequestHeader("x-requested-with", "console");
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
  request.onerror = () => failed("offline");
  request.onabort = () => failed("stopped");
  request.onload = () => {
    try {
      const answer = JSON.parse(request.responseText) as ControlReply<Data>;
      if (answer.success) resolve(answer.data);
      else reject(new ApiError(answer, request.getResponseHeader("x-request-id")));
    } catch {
      failed("bad_answer");
    }
  };
  signal.addEventListener("abort", () => request.abort());
  request.send(file);
  return promise;
}
