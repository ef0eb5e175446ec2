// Answers in place of the gateway, for what a page shows when it is in trouble.
import type { Page } from "../chromium.ts";

/** Answers every call below a path with this data. */
export async function answerWith(page: Page, path: string, data: unknown): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    await route.fulfill({ json: { success: true, message: "", data } });
  });
}

/** Refuses every call below a path, until it is told to let them through. */
export async function refuse(page: Page, path: string): Promise<{ stop(): void }> {
  let isFailing = true;
  await page.route(`**${path}`, async (route) => {
    if (!isFailing) return await route.continue();
    const json = { success: false, message: "no", code: "overloaded", param: null };
    await route.fulfill({ json, headers: { "x-request-id": "req_failing" } });
  });
  return { stop: () => (isFailing = false) };
}

/** Changes each item of the lists that come from a path. */
export async function changeItems(page: Page, path: string, fields: object): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const reply = await route.fetch();
    const answer = (await reply.json()) as { data: { items: object[] } };
    const items = answer.data.items.map((item) => ({ ...item, ...fields }));
    await route.fulfill({ json: { ...answer, data: { ...answer.data, items } } });
  });
}
