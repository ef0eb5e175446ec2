// Hands on the keyboard alone: what is focused is found by Tab, as somebody does who has no mouse.
import type { Page } from "../chromium.ts";

const tabsMax = 150;
const choicesMax = 100;

type Role = Parameters<Page["getByRole"]>[0];

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Goes on by Tab until this is focused; it must be there. */
  async reach(role: Role, name: string | RegExp): Promise<void> {
    const exact = typeof name === "string";
    const wanted = this.#page.getByRole(role, { name, exact });
    await wanted.first().waitFor();
    const focused = wanted.and(this.#page.locator(":focus"));
    for (let tabs = 0; tabs < tabsMax; tabs++) {
      if ((await focused.count()) > 0) return;
      await this.press("Tab");
    }
    throw new Error(`no Tab leads to the ${role} ${String(name)}`);
  }

  async use(role: Role, name: string | RegExp): Promise<void> {
    await this.reach(role, name);
    await this.press("Enter");
  }

  /** Puts a text in place of what is there. */
  async write(name: string | RegExp, text: string, role: Role = "textbox"): Promise<void> {
    await this.reach(role, name);
    await this.press("Control+a");
    await this.type(text);
  }

  /** Goes down a list to the choice of this name, once it is there: some come from the gateway. */
  async choose(name: string | RegExp, label: string): Promise<void> {
    await this.reach("combobox", name);
    const list = this.#page.getByRole("combobox", { name, exact: typeof name === "string" });
    const choice = list.locator("option", { hasText: label });
    await choice.waitFor({ state: "attached" });
    for (let downs = 0; downs < choicesMax; downs++) {
      if ((await list.inputValue()) === (await choice.getAttribute("value"))) return;
      await this.press("ArrowDown");
    }
    throw new Error(`no arrow leads to ${label}`);
  }

  /** Jump by the palette, which is everywhere. */
  async jump(text: string): Promise<void> {
    await this.press("Control+k");
    await this.#page.getByRole("combobox", { name: "Search or jump to" }).waitFor();
    await this.type(text);
    await this.press("Enter");
  }
}
