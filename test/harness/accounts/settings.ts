// Settings of a gateway as its pages change them.
import type { Gateway } from "../gateway.ts";

export interface Setting {
  name: string;
  value: unknown;
  default: unknown;
  source: string;
  place: string | null;
  live: boolean;
  page: boolean;
  schema: object | null;
  pending: unknown;
  description: string;
  stated: { value: unknown; previous: unknown; by: string | null; problem: string | null } | null;
}

type Asked = Pick<Gateway, "control">;

export async function settingOf(gateway: Asked, wanted: string): Promise<Setting> {
  const { items } = await gateway.control<{ items: Setting[] }>("GET", "/api/setting");
  const item = items.find(({ name }) => name === wanted);
  if (!item) throw new Error(`there is no setting ${wanted}`);
  return item;
}

/** Makes the changes together; returns them as they are then. */
export async function change(gateway: Asked, values: Record<string, unknown>): Promise<Setting[]> {
  const changes = Object.entries(values).map(([name, value]) => ({ name, value }));
  const { items } = await gateway.control<{ items: Setting[] }>("PATCH", "/api/setting", {
    changes,
  });
  return changes.flatMap(({ name }) => items.find((one) => one.name === name) ?? []);
}

export async function undo(gateway: Asked, name: string): Promise<Setting | undefined> {
  const path = "/api/setting/undo";
  const { items } = await gateway.control<{ items: Setting[] }>("POST", path, { name });
  return items[0];
}
