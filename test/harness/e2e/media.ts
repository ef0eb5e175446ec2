// A picture and a video as a page of the browser shows them.
import { eventually } from "../books.ts";
import type { Page } from "../chromium.ts";

/** The part of a page that the functions need that run inside it. */
interface Image extends EventTarget {
  src: string;
  naturalWidth: number;
  naturalHeight: number;
}
interface Player extends EventTarget {
  src: string;
  readyState: number;
  currentTime: number;
  duration: number;
  videoWidth: number;
  videoHeight: number;
  error: { message: string } | null;
}
declare const document: {
  createElement(name: "img"): Image;
  createElement(name: "video"): Player;
  querySelector(name: "img"): Image | null;
  querySelector(name: "video"): Player | null;
};

export interface ShownImage {
  width: number;
  height: number;
}

export interface ShownVideo extends ShownImage {
  seconds: number;
  /** The player's error when it can not. */
  error: string | null;
}

/** In an element of the page; null when it is no picture. */
export async function openImage(page: Page, link: string): Promise<ShownImage | null> {
  return await page.evaluate(async (address) => {
    const image = document.createElement("img");
    const ended = new Promise<void>((resolve) => {
      for (const event of ["load", "error"]) image.addEventListener(event, () => resolve());
    });
    image.src = address;
    await ended;
    const { naturalWidth: width, naturalHeight: height } = image;
    return width > 0 ? { width, height } : null;
  }, link);
}

/** In an element of the page, wound to a moment near its end. */
export async function openVideo(page: Page, link: string): Promise<ShownVideo & { at: number }> {
  return await page.evaluate(async (address) => {
    const video = document.createElement("video");
    const reached = (name: string) =>
      new Promise<void>((resolve) => {
        for (const event of [name, "error"]) video.addEventListener(event, () => resolve());
      });
    const loaded = reached("loadedmetadata");
    video.src = address;
    await loaded;
    if (!video.error) {
      const sought = reached("seeked");
      video.currentTime = video.duration - 0.5;
      await sought;
    }
    const { videoWidth: width, videoHeight: height, duration: seconds, currentTime: at } = video;
    return { width, height, seconds, at, error: video.error?.message ?? null };
  }, link);
}

/**
 * Media in the page that a browser makes by itself for a link. Such a page may run nothing, so it
 * cannot tell when it is ready: it is asked again and again.
 */
export async function shownAlone(page: Page): Promise<ShownImage | ShownVideo> {
  return await eventually("a picture or a video", async () => {
    return (await page.evaluate(readShown)) ?? undefined;
  });
}

function readShown(): ShownImage | ShownVideo | null {
  const image = document.querySelector("img");
  if (image && image.naturalWidth > 0) {
    return { width: image.naturalWidth, height: image.naturalHeight };
  }
  const video = document.querySelector("video");
  // Two: there is a picture to show.
  if (!video || (video.readyState < 2 && !video.error)) return null;
  const { videoWidth: width, videoHeight: height, duration: seconds } = video;
  return { width, height, seconds, error: video.error?.message ?? null };
}
