// The official client of Azure OpenAI makes a video.
import { expect, test } from "bun:test";
import { AzureOpenAI } from "openai";
import { eventually } from "../../harness/books.ts";
import { rootKey } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { prompt, startVideos } from "../../harness/videos.ts";

const stand = useStand(() => startVideos());

test.each(["/openai", "/openai/v1"])(
  "N41 N4 creates, lists, retrieves, downloads and deletes below %s",
  async (base) => {
    const client = new AzureOpenAI({
      apiKey: rootKey,
      baseURL: stand.gateway.url + base,
      apiVersion: "preview",
      maxRetries: 0,
    });
    const { id } = await client.videos.create({ model: "videoB-2", prompt, seconds: "8" });
    await eventually(`${id} to be completed`, async () => {
      const { status } = await client.videos.retrieve(id);
      return status === "completed" ? status : undefined;
    });
    const content = await client.videos.downloadContent(id);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    await content.arrayBuffer();
    const listed = (await client.videos.list({ limit: 5 })).data.map((video) => video.id);
    expect(listed).toContain(id);
    expect(await client.videos.delete(id)).toMatchObject({ id, deleted: true });
  },
);
