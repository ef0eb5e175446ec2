// A console with real work in it: the sandbox makes videos and pictures, and a receiver is told.
import { eventually } from "../books.ts";
import { png } from "../media-samples.ts";
import { create, idOf, quickPolls } from "../videos.ts";
import { openConsole, type ConsoleHouse } from "./console.ts";

/** One that its vendor can stop. */
export const videoModel = "videoC-2-0-260128";
export const imageModel = "imageA-2";

export interface WorkHouse extends AsyncDisposable {
  house: ConsoleHouse;
  /** Address for callbacks; `/broken` refuses them, and `/cat.png` is a picture. */
  receiverUrl: string;
}

/** More lines of configuration may be given; they must not declare tasks or media. */
export async function openWork(config = ""): Promise<WorkHouse> {
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/cat.png") return new Response(png(640, 480));
      return new Response(null, { status: pathname === "/broken" ? 500 : 204 });
    },
  });
  const media = `media: { private_hosts: [ "127.0.0.1:${receiver.port}" ] }`;
  const house = await openConsole([quickPolls, media, config].join("\n"));
  return {
    house,
    receiverUrl: `http://127.0.0.1:${receiver.port}`,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await receiver.stop(true);
    },
  };
}

/** A key of someone's, for the routes of models. */
export async function keyOf({ gateway }: ConsoleHouse, account: string): Promise<string> {
  const body = { name: `key of ${account}`, account };
  return (await gateway.control<{ key: string }>("POST", "/api/token", body)).key;
}

/** A task that has ended in this state, by its id. */
export async function endedTask(
  { gateway }: ConsoleHouse,
  key: string,
  job: { model: string; prompt: string; webhook_url?: string } & Record<string, unknown>,
): Promise<string> {
  const path = job.model === imageModel ? "/v1/images/generations/async" : "/v1/videos";
  const id = idOf(await create(gateway, job, { key, path }));
  await eventually(`the end of ${id}`, async () => {
    const task = await gateway.control<{ completed_at: number | null }>("GET", `/api/task/${id}`);
    return task.completed_at === null ? undefined : task;
  });
  return id;
}
