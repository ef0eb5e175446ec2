// The sandbox's videos in a real player: Chromium decodes and seeks them, and what it shows moves.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { writeMp4 } from "../../../sandbox/mp4/index.ts";
import { browserMsMax, needBrowser, whyNoChromium, type Page } from "../../harness/chromium.ts";
import { testNeeding } from "../../harness/requirements.ts";
import {
  create,
  idOf,
  prompt,
  reaches,
  startVideos,
  type VideoStand,
} from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const picturesPerSecond = 24;

const missingChromium = await whyNoChromium();
const testInPlayer = testNeeding("chromium", missingChromium);
let page: Page;
let stand: VideoStand;

beforeAll(async () => {
  stand = await startVideos();
  if (missingChromium === null) page = await (await needBrowser()).newPage();
}, browserMsMax);

afterAll(async () => {
  if (missingChromium === null) await page.close();
  await stand[Symbol.asyncDispose]();
});

interface Film {
  width: number;
  height: number;
  seconds: number;
}

interface Shown extends Film {
  /** One for each moment that was looked at: the same for the same picture. */
  pictures: number[];
}

/** Facts from the container. */
async function read(bytes: Uint8Array): Promise<Film & { count: number }> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error("the file has no video");
  const { packetCount: count } = await track.computePacketStats();
  const seconds = await input.computeDuration();
  return { width: track.displayWidth, height: track.displayHeight, seconds, count };
}

/** Pictures that a player shows at these moments. */
async function play(bytes: Uint8Array, moments: readonly number[]): Promise<Shown> {
  const base64 = Buffer.from(bytes).toString("base64");
  return await page.evaluate(showMoments, { base64, moments: [...moments] });
}

/** The part of a page that the functions below need, which run in the browser. */
interface Player extends EventTarget {
  src: string;
  muted: boolean;
  currentTime: number;
  duration: number;
  videoWidth: number;
  videoHeight: number;
  error: { message: string } | null;
  play(): Promise<void>;
  getVideoPlaybackQuality(): { corruptedVideoFrames: number };
}
interface Canvas {
  drawImage(video: Player, x: number, y: number, width: number, height: number): void;
  getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
}
declare const document: { createElement(name: "video"): Player };
declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  getContext(kind: "2d", options: { willReadFrequently: boolean }): Canvas;
};

async function showMoments(ask: { base64: string; moments: number[] }): Promise<Shown> {
  const video = document.createElement("video");
  const reached = (event: string) =>
    new Promise<void>((resolve, reject) => {
      video.addEventListener(event, () => resolve(), { once: true });
      const fail = () => reject(new Error(video.error?.message ?? "the video cannot be played"));
      video.addEventListener("error", fail, { once: true });
    });
  const loaded = reached("loadeddata");
  video.src = `data:video/mp4;base64,${ask.base64}`;
  await loaded;
  const { videoWidth: width, videoHeight: height, duration: seconds } = video;
  // Small, because a picture's numbers are added up one by one.
  const across = 320;
  const down = Math.round((across * height) / width);
  const canvas = new OffscreenCanvas(across, down).getContext("2d", { willReadFrequently: true });
  const look = () => {
    canvas.drawImage(video, 0, 0, across, down);
    const { data } = canvas.getImageData(0, 0, across, down);
    return data.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 7);
  };
  const pictures: number[] = [];
  for (const moment of ask.moments) {
    const sought = reached("seeked");
    video.currentTime = moment;
    await sought;
    // A busy browser may show the picture before for a while yet.
    for (let looks = 0; looks < 100 && look() === pictures.at(-1); looks++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    pictures.push(look());
  }
  return { width, height, seconds, pictures };
}

async function playToEnd(url: string): Promise<{ at: number; corrupted: number }> {
  const video = document.createElement("video");
  video.muted = true;
  video.src = url;
  video.currentTime = 3.5;
  const end = new Promise((resolve, reject) => {
    video.addEventListener("ended", resolve, { once: true });
    video.addEventListener("error", () => reject(new Error(video.error?.message)));
  });
  await video.play();
  await end;
  const { corruptedVideoFrames: corrupted } = video.getVideoPlaybackQuality();
  return { at: video.currentTime, corrupted };
}

/** Compare by the container and by the player. */
async function expectFilm(bytes: Uint8Array, film: Film): Promise<void> {
  const { seconds } = film;
  expect(await read(bytes)).toEqual({ ...film, count: seconds * picturesPerSecond });
  const moments = [0.05, seconds * 0.3, seconds * 0.6, seconds - 0.05];
  const shown = await play(bytes, moments);
  expect(shown).toMatchObject(film);
  expect(new Set(shown.pictures).size).toBe(moments.length);
}

describe("V-Q2 a video of the sandbox", () => {
  const films: readonly [string, object, Film][] = [
    ["videoB-2", { seconds: "4", size: "1280x720" }, { width: 1280, height: 720, seconds: 4 }],
    ["videoB-2", { seconds: "12", size: "720x1280" }, { width: 720, height: 1280, seconds: 12 }],
    ["videoD-h3", { duration: 6, ratio: "1:1" }, { width: 768, height: 768, seconds: 6 }],
    ["omni-fast", { seconds: 15, size: "1280x720" }, { width: 1280, height: 720, seconds: 15 }],
  ];
  for (const [model, fields, film] of films) {
    testInPlayer(
      `of ${model} with ${JSON.stringify(fields)} plays as it was asked for`,
      async () => {
        const id = idOf(await create(stand.gateway, { model, prompt, ...fields }));
        await reaches(stand.gateway, id, "completed");
        const response = await stand.gateway.get(`/v1/videos/${id}/content`);
        await expectFilm(await response.bytes(), film);
      },
    );
  }

  const shapes: readonly Film[] = [
    { width: 34, height: 18, seconds: 5 },
    { width: 1920, height: 822, seconds: 2.5 },
    { width: 3840, height: 2160, seconds: 2 },
    { width: 854, height: 480, seconds: 30 },
  ];
  for (const film of shapes) {
    const { width, height, seconds } = film;
    testInPlayer(`of ${width} by ${height} for ${seconds} seconds plays`, async () => {
      await expectFilm(writeMp4({ ...film, seed: 7 }), film);
    });
  }

  testInPlayer("plays from its signed link to its end", async () => {
    const id = idOf(await create(stand.gateway, { model: "videoB-2", prompt, seconds: "4" }));
    const { video_url: link } = await reaches(stand.gateway, id, "completed");
    const response = await fetch(String(link));
    expect((await read(await response.bytes())).seconds).toBe(4);
    const ended = await page.evaluate(playToEnd, String(link));
    expect(ended).toEqual({ at: 4, corrupted: 0 });
  });
});
