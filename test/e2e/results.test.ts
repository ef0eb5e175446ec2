// The links to results in a real browser: as a picture and a video inside a page of somebody else,
// and opened by themselves.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import { MediaLinks } from "../../src/media/links.ts";
import { browserMsMax, needBrowser, type Browser, type Page } from "../harness/chromium.ts";
import { OtherSite } from "../harness/e2e/front.ts";
import { openImage, openVideo, shownAlone } from "../harness/e2e/media.ts";
import { startGateway, type Gateway } from "../harness/gateway.ts";
import { ask } from "../harness/images/stand.ts";
import { create, idOf, prompt, quickPolls, reaches } from "../harness/videos.ts";

setDefaultTimeout(60_000);

const secret = "a secret of the test, as long as asked";
const drawn = { width: 1024, height: 1536 };
const film = { width: 1280, height: 720, seconds: 4, error: null };
let browser: Browser;
let gateway: Gateway;
let site: OtherSite;
let page: Page;
let image: string;
let video: string;

beforeAll(async () => {
  const environment = { SLUICE_SECRET: secret };
  browser = await needBrowser();
  gateway = await startGateway({ config: `sandbox: "on"\n${quickPolls}\n`, environment });
  const body = { model: "imageA-2", prompt: "A fox", size: "1024x1536", response_format: "url" };
  const { items } = await ask(gateway, body);
  image = items[0]?.url ?? "";
  const wanted = { model: "videoB-2", prompt, seconds: "4", size: "1280x720" };
  const id = idOf(await create(gateway, wanted));
  video = String((await reaches(gateway, id, "completed"))["video_url"]);
  site = new OtherSite("localhost", "http");
  page = await browser.newPage();
}, browserMsMax);

afterAll(async () => {
  await page?.close();
  site?.[Symbol.dispose]();
  await gateway?.[Symbol.asyncDispose]();
});

/** The same link, signed by the gateway's own secret, that was over a second ago. */
function expired(link: string): string {
  const baseUrl = () => gateway.url;
  const links = new MediaLinks({ secret, baseUrl, ttlSeconds: 60, clock: systemClock });
  const id = new URL(link).pathname.slice("/media/".length);
  return links.sign(id, Math.floor(Date.now() / 1000) - 1);
}

describe("V-Q2 in a real browser a signed link", () => {
  test("to an image is a picture of a page that is not ours", async () => {
    await page.goto(site.url);
    expect(await openImage(page, image)).toEqual(drawn);
  });

  test("to a video is a video there, with its length, and can be wound", async () => {
    await page.goto(site.url);
    expect(await openVideo(page, video)).toEqual({ ...film, at: 3.5 });
  });

  test("opens by itself, as a picture and as a video, without a complaint", async () => {
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    const picture = await page.goto(image);
    expect(picture?.headers()["content-type"]).toBe("image/png");
    expect(await shownAlone(page)).toEqual(drawn);
    const whole = await page.goto(video);
    expect(whole?.headers()["content-type"]).toBe("video/mp4");
    expect(await shownAlone(page)).toEqual(film);
    expect(complaints).toEqual([]);
  });

  test("is nothing any more once it has expired", async () => {
    await page.goto(site.url);
    expect(await openImage(page, expired(image))).toBeNull();
    expect((await openVideo(page, expired(video))).error).not.toBeNull();
    for (const link of [image, video]) {
      const response = await page.goto(expired(link));
      expect([response?.status(), response?.headers()["content-type"]]).toEqual([
        403,
        "application/json",
      ]);
    }
  });
});
