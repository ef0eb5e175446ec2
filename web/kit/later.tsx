// A part of a page in a file of its own, fetched when it is first shown: for what most visits to
// the page do without.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { wordsReady } from "../core/words.ts";
import { awayError, Failure } from "./failure.tsx";

export function later<Options extends object>(load: () => Promise<ComponentType<Options>>) {
  const part = signal<ComponentType<Options> | "failed" | null>(null);
  const loadWithWords = async () => {
    const loaded = await load();
    await wordsReady();
    return loaded;
  };
  const ask = () => {
    part.value = null;
    loadWithWords().then(
      (loaded) => (part.value = loaded),
      () => (part.value = "failed"),
    );
  };
  return function Later(options: Options) {
    const Part = part.value;
    useEffect(() => {
      if (part.peek() === null) ask();
    }, []);
    if (Part === null) return <span hidden aria-busy="true" />;
    return Part === "failed" ? (
      <Failure error={awayError()} onRetry={ask} />
    ) : (
      <Part {...options} />
    );
  };
}
